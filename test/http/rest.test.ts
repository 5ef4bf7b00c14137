import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("an owner sees the organization and its workspace; a rival sees neither", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const mallory = await w.signIn("mallory@rival.test");
  expect((await owner.get("/v1/workspaces")).body.data).toMatchObject([{ id: workspace.id, name: "Acme workspace" }]);
  expect((await owner.get(workspace.path)).body).toMatchObject({ id: workspace.id, organization_id: organization.id });
  expect((await mallory.get("/v1/workspaces")).body).toEqual({ data: [], next_cursor: null });
  expect(await mallory.get(workspace.path)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await mallory.get(organization.path)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
});

test("identifiers are read in either case, in paths, queries and bodies, and answered in lower case", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const at = `/v1/organizations/${organization.id.toUpperCase()}/workspaces/${workspace.id.toUpperCase()}`;
  const parent = await owner.post(`${at}/brands`, { name: "Acme" });
  const product = { name: "Anvil", kind: "product", parent_id: parent.body.id.toUpperCase() };
  expect((await owner.post(`${at}/brands`, product)).body).toMatchObject({ parent_id: parent.body.id });
  expect((await owner.get(`${at}/brands/${parent.body.id.toUpperCase()}`)).body).toEqual(parent.body);
});

test("each rejection has the common error body with the header's request id", async () => {
  await using w = await world();
  const { owner } = await w.acme();
  const answer = await w.request("GET", "/v1/auth/me");
  expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  expect(answer.body.request_id).toBe(answer.headers.get("x-request-id"));
  expect(await owner.get("/v1/workspaces?limit=abc&colour=red")).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", fields: [{ path: "limit" }, { path: "colour" }] },
  });
  expect(await owner.post("/v1/workspaces", {})).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
  expect(await owner.get("/v1/nothing")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
});

test("a raw API key is not a bearer token, and a used refresh token ends its family after the leeway", async () => {
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  expect(await w.request("GET", "/v1/auth/me", { headers: { authorization: `Bearer ${owner.apiKey}` } })).toMatchObject(
    { status: 401 },
  );
  const first = await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } });
  const refresh = (refresh_token: string) => w.request("POST", "/v1/auth/refresh", { body: { refresh_token } });
  const second = await refresh(first.body.refresh_token);
  expect(second.status).toBe(200);
  now = "2026-11-21T08:00:59.000Z";
  expect((await refresh(first.body.refresh_token)).status).toBe(200);
  now = "2026-11-21T08:01:01.000Z";
  expect(await refresh(first.body.refresh_token)).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
  const headers = { authorization: `Bearer ${second.body.access_token}` };
  expect((await w.request("GET", "/v1/auth/me", { headers })).status).toBe(401);
});

test("a disabled account's tokens end at the next call, and do not come back by a refresh", async () => {
  // Attack: going on with a token that was issued before the account was disabled.
  await using w = await world();
  const { owner, organization } = await w.acme();
  const pair = await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } });
  expect((await owner.get("/v1/workspaces")).status).toBe(200);
  await w.store.write(async ({ q, t }) => void (await q.update(t.users).set({ disabledAt: w.deps.now() })));
  expect((await owner.get("/v1/workspaces")).status).toBe(401);
  expect((await owner.get(organization.path)).status).toBe(401);
  const { refresh_token } = pair.body;
  expect((await w.request("POST", "/v1/auth/refresh", { body: { refresh_token } })).status).toBe(401);
});

test("a REST token is good for the 15 seconds that clocks may differ, and no longer", async () => {
  // Attack: going on with a token after its time.
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  const status = async () => (await owner.get("/v1/auth/me")).status;
  now = "2026-11-21T08:15:14.000Z";
  expect(await status()).toBe(200);
  now = "2026-11-21T08:15:15.000Z";
  expect(await status()).toBe(401);
});

// Attack: end the process with a part that the parser of multipart bodies has no name for.
test("rejects a multipart part without name, and the service continues", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  for (const disposition of ['form-data; name=""', "form-data", 'form-data; name=""; filename="a.txt"']) {
    const answer = await owner.request("POST", `${workspace.path}/brands`, {
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: `--b\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--b--\r\n`,
    });
    expect([disposition, answer.status >= 400 && answer.status < 500]).toEqual([disposition, true]);
  }
  expect((await owner.get(`${workspace.path}/brands`)).status).toBe(200);
});
