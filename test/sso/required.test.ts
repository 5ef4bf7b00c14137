import { expect, test } from "vitest";
import { eq } from "drizzle-orm";
import { issueSsoCode } from "../../auth/sso/sso-codes.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, type Person } from "../support/world.ts";
import { configureSso, OIDC } from "./scene.ts";
import { providerProof } from "../sign-in/address-proof.ts";

/**
 * An organization that requires its own provider, with an owner and an editor; both came by a
 * password or key.
 */
async function scene() {
  const w = await world();
  const acme = await w.acme();
  const { id } = acme.organization;
  const editor = await w.signIn("editor@acme.test", { organizationId: id, role: "editor" });
  const rival = await w.insertTenant("Rival");
  await w.signIn("editor@acme.test", { organizationId: rival.organization.id, role: "viewer" });
  const require = (is_required: boolean) => configureSso(w, acme, { ...OIDC, is_required });
  await require(true);
  /** The person's REST requests after a sign-in through a provider. */
  const through = async (person: Person, organizationId: string) => {
    const proofId = await providerProof(w, person.id, organizationId);
    const signIn = {
      organizationId,
      userId: person.id,
      proofId,
      browserHash: null,
      authenticatedAt: null,
      forProgram: true,
      loopbackUri: null,
    };
    const code = await w.store.write((db) =>
      issueSsoCode(db, { ...signIn, initiatedBy: "sp", relayPath: "/" }, w.deps.now()),
    );
    const { body } = await w.request("POST", "/v1/auth/sso/exchange", { body: { code } });
    return (path: string) => w.request("GET", path, { headers: { authorization: `Bearer ${body.token}` } });
  };
  return { ...acme, w, editor, rival, require, through, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

test("rejects other sign-ins from the next call when the organization requires its provider, and says where to sign in", async () => {
  // Attack: a stolen password, or a key of a person who left the organization's directory.
  await using s = await scene();
  const start = `${s.w.config.baseUrl}/sso/${s.organization.id}/start`;
  const refusal = { status: 403, body: { code: "FORBIDDEN", message: expect.stringContaining(start) } };
  expect(await s.editor.get(s.workspace.path)).toMatchObject(refusal);
  expect(await s.editor.get(s.organization.path)).toMatchObject(refusal);
  expect(await s.editor.post(`${s.workspace.path}/brands`, { name: "x" })).toMatchObject(refusal);
  // Access elsewhere, and after the requirement ends, is unchanged.
  expect((await s.editor.get(s.rival.workspace.path)).status).toBe(200);
  await s.require(false);
  expect((await s.editor.get(s.workspace.path)).status).toBe(200);
});

test("admits people who came through the provider, and rejects those who came through another organization's", async () => {
  await using s = await scene();
  const own = await s.through(s.editor, s.organization.id);
  expect((await own(s.workspace.path)).status).toBe(200);
  const foreign = await s.through(s.editor, s.rival.organization.id);
  expect((await foreign(s.workspace.path)).status).toBe(403);
  expect((await foreign(s.rival.workspace.path)).status).toBe(200);
  expect(ids((await foreign("/v1/workspaces")).body.data)).toEqual([s.rival.workspace.id]);
  // Another organization opens to this provider only where the person joined it through that
  // provider.
  expect(ids((await own("/v1/workspaces")).body.data)).toEqual([s.workspace.id]);
  expect((await own(s.rival.workspace.path)).status).toBe(403);
  await s.w.store.write(async ({ q, t }) => {
    const joined = { joinedThrough: s.organization.id };
    await q
      .update(t.organizationMembers)
      .set(joined)
      .where(eq(t.organizationMembers.organizationId, s.rival.organization.id));
  });
  expect(ids((await own("/v1/workspaces")).body.data).toSorted()).toEqual(
    [s.workspace.id, s.rival.workspace.id].toSorted(),
  );
  expect((await own(s.rival.workspace.path)).status).toBe(200);
});

test("admits owners by any sign-in, so that a failing provider locks no organization out", async () => {
  await using s = await scene();
  expect((await s.owner.get(s.workspace.path)).status).toBe(200);
  expect(ids((await s.owner.get("/v1/workspaces")).body.data)).toEqual([s.workspace.id]);
  expect((await s.owner.delete(`${s.organization.path}/sso`)).status).toBe(200);
  expect((await s.editor.get(s.workspace.path)).status).toBe(200);
});

test("hides the organization's contents in lists from callers without access", async () => {
  await using s = await scene();
  await s.require(false);
  await s.editor.request("PUT", `/v1/me/favourites/${s.workspace.id}`);
  await s.editor.request("PUT", `/v1/me/favourites/${s.rival.workspace.id}`);
  const seen = async () => {
    const me = (await s.editor.get("/v1/auth/me")).body;
    return {
      organizations: ids((await s.editor.get("/v1/organizations")).body.data).toSorted(),
      workspaces: ids((await s.editor.get("/v1/workspaces")).body.data).toSorted(),
      me: [ids(me.organizations).toSorted(), ids(me.workspaces).toSorted()],
      favourites: (await s.editor.get("/v1/me/favourites")).body.data.length,
    };
  };
  const organizations = [s.organization.id, s.rival.organization.id].toSorted();
  const workspaces = [s.workspace.id, s.rival.workspace.id].toSorted();
  expect(await seen()).toEqual({ organizations, workspaces, me: [organizations, workspaces], favourites: 2 });
  await s.require(true);
  const [o, w] = [[s.rival.organization.id], [s.rival.workspace.id]];
  expect(await seen()).toEqual({ organizations: o, workspaces: w, me: [o, w], favourites: 1 });
});

test("keeps organization and workspace keys of administrators working, and rejects user keys of a password sign-in", async () => {
  await using s = await scene();
  const of = { organization_id: s.organization.id };
  for (const kind of [{ kind: "organization" }, { kind: "workspace", workspace_id: s.workspace.id }]) {
    const made = await s.owner.post("/v1/api-keys", { name: "program", ...of, ...kind });
    const { body } = await s.w.request("POST", "/v1/auth/token", { body: { api_key: made.body.api_key } });
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await s.w.request("GET", s.workspace.path, { headers })).status).toBe(200);
  }
  const key = await s.editor.post("/v1/api-keys", { name: "own" });
  const { body } = await s.w.request("POST", "/v1/auth/token", { body: { api_key: key.body.api_key } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await s.w.request("GET", s.workspace.path, { headers })).status).toBe(403);
});

test("assistants and pages are held to it as programs are", async () => {
  await using s = await scene();
  const { token, grantId } = await mintToolToken(s.w, s.editor);
  const call = { organization_id: s.organization.id, workspace_id: s.workspace.id };
  await using client = await CLIENTS["SDK 2, auto"]?.(s.w.config.mcpUrl, { token });
  expect(JSON.parse((await client?.call("get_workspace", call))?.text ?? "")).toMatchObject({ code: "FORBIDDEN" });
  expect((await client?.call("list_workspaces"))?.structured.data.map((row: { id: string }) => row.id)).toEqual([
    s.rival.workspace.id,
  ]);
  const proofId = await providerProof(s.w, s.editor.id, s.organization.id);
  await s.w.store.write(async ({ q, t }) => {
    await q.update(t.oauthRecords).set({ proofId }).where(eq(t.oauthRecords.id, grantId));
  });
  expect(await client?.call("get_workspace", call)).toMatchObject({ isError: false });

  const browser = await signedInBrowser(s.w, "editor@acme.test");
  const page = await browser.get(`${s.w.config.baseUrl}/organizations/${s.organization.id}`);
  expect([page.status, page.text.includes(`/sso/${s.organization.id}/start`)]).toEqual([403, true]);
});
