import { sceneWithPassword } from "../support/assistant.ts";
import { world } from "../support/world.ts";
import type { ProviderProcess } from "./provider-process.ts";
import { configureSso, verifyDomain } from "./scene.ts";

/** The service with an organization that uses the provider and an owner with a password. */
export async function providerScene(provider: ProviderProcess, settings: Record<string, unknown> = {}) {
  const w = await world({ env: { SSO_ALLOW_PRIVATE_ADDRESSES: "1" } });
  const acme = await sceneWithPassword(w);
  const { id } = acme.organization;
  await verifyDomain(w, id, "acme.test");
  await configureSso(w, acme, { ...(await provider.register(`${w.config.baseUrl}/sso/${id}/callback`)), ...settings });
  return {
    ...acme,
    w,
    page: (path: string) => w.config.baseUrl + path,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}
