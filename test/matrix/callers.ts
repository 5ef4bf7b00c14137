import { eq } from "drizzle-orm";
import { decodeJwt, SignJWT } from "jose";
import { deleteGrant } from "../../db/identity/oauth-records.ts";
import type { ApiKeyKind, OrganizationRole } from "../../core/identity/roles.ts";
import { addMs } from "../../core/shared/time.ts";
import { mintToolToken, signingKeysOf } from "../support/tool-token.ts";
import type { Scene } from "../whole/scene.ts";
import type { Person } from "../support/world.ts";

/** Authorization headers of a caller by interface; none if undefined. */
export interface Caller {
  rest: string | undefined;
  tool: string | undefined;
}

const ELSEWHERE = "https://elsewhere.test/v1";

/** All callers of the table by row name, an uninvolved member, and the key in question. */
export async function openCallers(
  scene: Scene,
): Promise<{ callers: Map<string, Caller>; bystander: Person; ownKeyId: string }> {
  const { w, owner } = scene;
  const organizationId = scene.home["organization_id"] ?? "";
  const workspaceId = scene.home["workspace_id"] ?? "";
  const other = await owner.post(`/v1/organizations/${organizationId}/workspaces`, { name: "The other" });
  const member = (name: string, role: OrganizationRole) => w.signIn(`${name}@home.test`, { organizationId, role });
  const local = (name: string, workspaceRole: "editor" | "viewer", at = workspaceId) =>
    w.signIn(`${name}@home.test`, { organizationId, role: "guest", workspaceId: at, workspaceRole });

  const people: Record<string, Person> = {
    "owner of another organization": scene.rival,
    "nobody's member": await w.signIn("nobody@nowhere.test"),
    owner,
    editor: scene.editor,
    viewer: scene.viewer,
    guest: scene.guest,
    "workspace editor": await local("local-editor", "editor"),
    "workspace viewer": await local("local-viewer", "viewer"),
    "editor of the other workspace": await local("other-editor", "editor", other.body.id),
    "suspended owner": await member("suspended", "owner"),
  };
  const both = await member("both", "owner");
  await w.signIn("both@home.test", { organizationId: scene.rivalHome["organization_id"] ?? "", role: "owner" });
  const [lowered, resting] = [await member("lowered", "owner"), await member("resting", "owner")];
  const leaving = await local("leaving", "editor");
  const inOrganization = { organization_id: organizationId };
  const inWorkspace = { ...inOrganization, workspace_id: workspaceId };
  const inOther = { ...inOrganization, workspace_id: other.body.id as string };
  const inRival = { organization_id: scene.rivalHome["organization_id"] };
  const programs: Record<string, string> = {
    "organization key, owner": await programOf(owner, "organization", { ...inOrganization, role: "owner" }),
    "organization key, editor": await programOf(owner, "organization", { ...inOrganization, role: "editor" }),
    "organization key, viewer": await programOf(owner, "organization", { ...inOrganization, role: "viewer" }),
    "organization key, creator lowered": await programOf(lowered, "organization", { ...inOrganization, role: "owner" }),
    "organization key, creator suspended": await programOf(resting, "organization", {
      ...inOrganization,
      role: "owner",
    }),
    "key of the other organization": await programOf(both, "organization", { ...inRival, role: "owner" }),
    "workspace key, editor": await programOf(owner, "workspace", { ...inWorkspace, role: "editor" }),
    "workspace key, viewer": await programOf(owner, "workspace", { ...inWorkspace, role: "viewer" }),
    "workspace key, creator removed": await programOf(leaving, "workspace", { ...inWorkspace, role: "editor" }),
    "key of the other workspace": await programOf(owner, "workspace", { ...inOther, role: "editor" }),
  };

  async function programOf(person: Person, kind: ApiKeyKind, key: object): Promise<string> {
    const { body } = await person.post("/v1/api-keys", { name: "Program", kind, ...key });
    return exchanged(body.api_key);
  }

  async function exchanged(apiKey: string): Promise<string> {
    const { body } = await w.request("POST", "/v1/auth/token", { body: { api_key: apiKey } });
    return `Bearer ${body.access_token}`;
  }

  const { body: ownKey } = await owner.post("/v1/api-keys", { name: "The owner's own" });
  programs["the key that is asked for"] = await exchanged(ownKey.api_key);
  programs["user key of the owner"] = `Bearer ${owner.accessToken}`;
  programs["owner, signed in 11 minutes ago"] = `Bearer ${await signedInEarlier(scene, 11)}`;

  const callers = new Map<string, Caller>();
  for (const [name, person] of Object.entries(people)) {
    callers.set(name, {
      rest: `Bearer ${await person.signedInToken()}`,
      tool: `Bearer ${(await mintToolToken(w, person)).token}`,
    });
  }
  for (const [name, rest] of Object.entries(programs)) callers.set(name, { rest, tool: undefined });
  for (const [name, caller] of await unknownCallers(scene)) callers.set(name, caller);
  const reading = await mintToolToken(w, owner, { scopes: ["read"] });
  callers.set("owner who allowed reading alone", { rest: undefined, tool: `Bearer ${reading.token}` });
  const here = await mintToolToken(w, owner, { workspaceId });
  callers.set("owner, limited to the workspace", { rest: undefined, tool: `Bearer ${here.token}` });
  const elsewhere = await mintToolToken(w, owner, { workspaceId: other.body.id });
  callers.set("owner, limited to the other workspace", { rest: undefined, tool: `Bearer ${elsewhere.token}` });

  await w.store.write(async ({ q, t }) => {
    const { organizationMembers: members, workspaceMembers } = t;
    const at = w.deps.now();
    await q.update(members).set({ role: "viewer" }).where(eq(members.userId, lowered.id));
    await q.update(members).set({ suspendedAt: at }).where(eq(members.userId, resting.id));
    await q
      .update(members)
      .set({ suspendedAt: at })
      .where(eq(members.userId, people["suspended owner"]?.id ?? ""));
    await q.delete(workspaceMembers).where(eq(workspaceMembers.userId, leaving.id));
    await q.delete(members).where(eq(members.userId, leaving.id));
  });
  return { callers, bystander: await local("bystander", "viewer"), ownKeyId: ownKey.id };
}

/** A token of the owner's sign-in this many minutes ago. */
async function signedInEarlier({ w, owner }: Scene, minutes: number): Promise<string> {
  const token = await owner.signedInToken();
  const familyId = String(decodeJwt(token)["gid"]);
  const authenticatedAt = addMs(w.deps.now(), -minutes * 60_000);
  await w.store.write(async ({ q, t }) => {
    await q.update(t.tokenFamilies).set({ authenticatedAt }).where(eq(t.tokenFamilies.id, familyId));
  });
  return token;
}

/** Callers unknown at each interface. */
async function unknownCallers({ w, owner, home }: Scene): Promise<[string, Caller][]> {
  const toolToken = async (over: object = {}) => (await mintToolToken(w, owner, over)).token;
  const exchanged = await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } });
  const asOwner = { organizationId: home["organization_id"] ?? "", role: "owner" } as const;
  const disabled = await w.signIn("disabled@home.test", asOwner);
  const revoked = await w.signIn("revoked@home.test", asOwner);
  const { token: revokedToken, grantId } = await mintToolToken(w, owner);
  const { token: disabledToken } = await mintToolToken(w, disabled);
  await w.store.write(async (db) => {
    const { q, t } = db;
    await q.update(t.users).set({ disabledAt: w.deps.now() }).where(eq(t.users.id, disabled.id));
    await q.update(t.apiKeys).set({ revokedAt: w.deps.now() }).where(eq(t.apiKeys.userId, revoked.id));
    await deleteGrant(db, owner.id, grantId);
  });
  const { refresh_token: refreshToken, access_token: accessToken } = exchanged.body;
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  return [
    ["no token", { rest: undefined, tool: undefined }],
    ["not a token", bearer("nothing", "nothing")],
    ["another scheme", { rest: "Basic b3duZXI6c2VjcmV0", tool: "Basic b3duZXI6c2VjcmV0" }],
    ["the raw API key", bearer(owner.apiKey, owner.apiKey)],
    ["a refresh token", bearer(refreshToken, refreshToken)],
    [
      "an expired token",
      bearer(await resignToken(w, accessToken, { exp: hourAgo }), await toolToken({ expiresInSeconds: -3600 })),
    ],
    ["a token for the other door", bearer(await toolToken(), accessToken)],
    [
      "a token for another service",
      bearer(await resignToken(w, accessToken, { aud: ELSEWHERE }), await toolToken({ audience: ELSEWHERE })),
    ],
    ["a revoked key or grant", bearer(revoked.accessToken, revokedToken)],
    ["a disabled account", bearer(disabled.accessToken, disabledToken)],
  ];
}

function bearer(rest: string, tool: string): Caller {
  return { rest: `Bearer ${rest}`, tool: `Bearer ${tool}` };
}

/** A token with some claims changed, under the service's own signature. */
async function resignToken(w: Scene["w"], token: string, over: object): Promise<string> {
  const keys = await signingKeysOf(w);
  return new SignJWT({ ...decodeJwt(token), ...over, jti: w.deps.newId() })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: keys.kid })
    .sign(keys.privateKey);
}
