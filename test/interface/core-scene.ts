import { insertWorkspace } from "../../db/catalog/workspaces.ts";
import { type Answer, type Person, world } from "../support/world.ts";
import { inlineParts } from "../support/openapi-parts.ts";
import type { Reference } from "./reference-document.ts";
import { once } from "./rule.ts";

let now = "2026-11-21T08:00:00.000Z";

/** An organization with two workspaces, and another one, for the core rules. */
export const coreScene = once(async () => {
  const w = await world({ now: () => now });
  const { organization, workspace, owner } = await w.acme();
  const rival = await w.insertTenant("Rival");
  const second = { id: w.deps.newId(), name: "Second", createdAt: now, updatedAt: now };
  await w.store.write((db) => insertWorkspace({ db, organizationId: organization.id }, second));
  const reference = inlineParts((await owner.get("/openapi.json")).body as Reference);
  return {
    ...w,
    reference,
    organization,
    workspace,
    second: { id: second.id, path: `${organization.path}/workspaces/${second.id}` },
    owner,
    rival,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
});
type Core = Awaited<ReturnType<typeof coreScene>>;

/** Runs `act` at another time. */
export async function atInstant<T>(instant: string, act: () => Promise<T>): Promise<T> {
  const before = now;
  now = instant;
  try {
    return await act();
  } finally {
    now = before;
  }
}

/** Creates an API key, exchanges it, and returns requests with its token. */
export async function withApiKey(w: Core, by: Person, key: Record<string, unknown>) {
  const made = await by.post("/v1/api-keys", { name: "Program", ...key });
  const exchanged = await w.request("POST", "/v1/auth/token", { body: { api_key: made.body.api_key } });
  const headers = { authorization: `Bearer ${exchanged.body.access_token}` };
  const get = (path: string): Promise<Answer> => w.request("GET", path, { headers });
  return { made, exchanged, get };
}
