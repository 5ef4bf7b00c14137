import { insertDomain, markDomainVerified } from "../../db/identity/domains/domains.ts";
import { findSsoConfiguration, type SsoConfiguration } from "../../db/identity/sso.ts";
import type { Person, world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

export type World = Awaited<ReturnType<typeof world>>;

/** Shows that a domain is an organization's, as its DNS record would. */
export async function verifyDomain(w: World, organizationId: string, domain: string): Promise<void> {
  const [at, id] = [w.deps.now(), w.deps.newId()];
  await w.store.write(async (db) => {
    const tenant = { db, organizationId };
    const claim = await insertDomain(tenant, { id, domain, token: id, createdAt: at });
    await markDomainVerified(tenant, claim, { by: "dns", at });
  });
}

/** Configures an organization's identity provider as its owner, and returns the stored settings. */
export async function configureSso(
  w: World,
  { owner, organization }: { owner: Person; organization: { id: string; path: string } },
  settings: Record<string, unknown>,
): Promise<SsoConfiguration> {
  const { status, body } = await owner.request("PUT", `${organization.path}/sso`, { body: settings });
  if (status !== 200) throw new Error(`the configuration was refused: ${JSON.stringify(body)}`);
  const stored = await findSsoConfiguration({ db: openCommitted(w.store), organizationId: organization.id });
  if (!stored) throw new Error("the configuration was not stored");
  return stored;
}

export const OIDC = {
  protocol: "oidc",
  issuer: "https://idp.acme.test",
  client_id: "visibility",
  client_secret: "s3cret",
};
