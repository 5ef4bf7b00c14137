import { afterAll, beforeAll, expect, test } from "vitest";
import { world } from "../support/world.ts";
import { ERROR, GROUP, LIST, scimUser, scene, scimClient, USER } from "./client.ts";

// Errors follow RFC 7644 section 3.12; the service provider configuration follows section 4.

let w: Awaited<ReturnType<typeof world>>;
let s: Awaited<ReturnType<typeof scene>>;
beforeAll(async () => {
  w = await world({ now: () => clock.at });
  s = await scene(w);
});
afterAll(() => w[Symbol.asyncDispose]());
const clock = { at: "2026-11-21T12:00:00.000Z" };

const text = expect.any(String) as unknown;

// Attack: call without a token, or with one of another interface, a guessed, revoked or expired
// one.
test("answers 401 at any address for a missing, foreign, revoked or expired token", async () => {
  const made = async (more = {}) =>
    (await s.owner.post(`${s.organization.path}/scim-tokens`, { name: "Other", ...more })).body;
  const revoked = await made();
  const expiring = await made({ expires_at: "2026-11-21T12:30:00Z" });
  await s.owner.delete(`${s.organization.path}/scim-tokens/${revoked.id}`);
  expect((await scimClient(w, expiring.token).get("/Users")).status).toBe(200);
  clock.at = "2026-11-21T12:31:00.000Z";
  const guessed = `${s.client.token.slice(0, -1)}${s.client.token.endsWith("a") ? "b" : "a"}`;
  for (const token of [s.owner.accessToken, s.owner.apiKey, guessed, revoked.token, expiring.token]) {
    for (const path of ["/Users", "/Users/x", "/ServiceProviderConfig", "/nowhere", "/Bulk"]) {
      const answer = await scimClient(w, token).get(path);
      expect([answer.status, answer.headers.get("www-authenticate"), answer.body]).toEqual([
        401,
        'Bearer error="invalid_token"',
        { schemas: [ERROR], detail: text, status: "401" },
      ]);
    }
  }
  const bare = await w.request("GET", "/scim/v2/Users");
  expect([bare.status, bare.headers.get("www-authenticate"), bare.body.schemas]).toEqual([401, "Bearer", [ERROR]]);
  expect((await s.client.get("/Users")).status).toBe(200);
});

// Attack: use the provisioning token at the other interfaces.
test("accepts a SCIM token only at the provisioning interface", async () => {
  const headers = { authorization: `Bearer ${s.client.token}` };
  expect((await w.request("GET", "/v1/organizations", { headers })).status).toBe(401);
  const exchanged = await w.request("POST", "/v1/auth/token", { body: { api_key: s.client.token } });
  expect(exchanged.status).toBe(401);
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_workspaces", arguments: {} } };
  expect((await w.request("POST", "/mcp", { headers, body: call })).status).toBe(401);
});

test.each([
  ["an address that is none", "GET", "/People", 404],
  ["an id that is none", "GET", "/Users/%00", 404],
  ["an id that nothing has", "GET", "/Groups/00000000-0000-7000-8000-000000000000", 404],
  ["an address that is no encoding", "GET", "/Users/%E0%A4%A", 404],
  ["a method that is not known there", "DELETE", "/Users", 405],
  ["a change of what is told", "POST", "/Schemas", 405],
  ["what is not done here", "POST", "/Bulk", 501],
  ["who asks", "GET", "/Me", 501],
  ["a filter on what is told", "GET", "/Schemas?filter=id%20pr", 403],
])("%s: %s %s is %s", async (_what, method, path, status) => {
  const answer = await s.client.send(method, path);
  expect([answer.status, answer.body]).toEqual([status, { schemas: [ERROR], detail: text, status: String(status) }]);
  expect(answer.headers.get("content-type")).toBe("application/scim+json");
  expect(answer.headers.has("allow")).toBe(status === 405);
});

function post(body: string, type = "application/scim+json") {
  return s.client.send("POST", "/Users", body, { "content-type": type });
}

test("rejects a body that is too large, of another type, invalid JSON or no object", async () => {
  expect(await post(`{"userName":"${"a".repeat(1024 * 1024)}"}`)).toMatchObject({
    status: 413,
    body: { status: "413" },
  });
  expect(await post("<user/>", "application/xml")).toMatchObject({ status: 415, body: { schemas: [ERROR] } });
  for (const body of ["", "{", "[]", '"a"', "null"]) {
    expect((await post(body)).body).toMatchObject({ status: "400", scimType: "invalidSyntax" });
  }
  expect((await post(JSON.stringify({ schemas: [GROUP], userName: "a@b.test" }))).body.scimType).toBe("invalidSyntax");
  expect((await post(JSON.stringify(scimUser("no-email")))).body.scimType).toBe("invalidValue");
  const json = await post(JSON.stringify(scimUser("json@acme.test")), "application/json");
  expect(json.status).toBe(201);
});

test("too many requests are 429 with when to come back, counted by token and by address", async () => {
  await using few = await world({ env: { RATE_LIMIT_KEY: "3" } });
  const { client } = await scene(few);
  const answers = [];
  for (let at = 0; at < 4; at++) answers.push(await client.get("/Users"));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers[3]?.body).toEqual({ schemas: [ERROR], detail: text, status: "429" });
  expect(Number(answers[3]?.headers.get("retry-after"))).toBeGreaterThan(0);
  await using fewer = await world({ env: { RATE_LIMIT_ADDRESS: "1" } });
  await fewer.request("GET", "/scim/v2/Users");
  expect(await fewer.request("GET", "/scim/v2/Users")).toMatchObject({ status: 429, body: { schemas: [ERROR] } });
});

test("describes its features, resource types and attributes (section 4)", async () => {
  const config = await s.client.get("/ServiceProviderConfig");
  expect(config.body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [{ type: "oauthbearertoken" }],
  });
  const types = await s.client.get("/ResourceTypes");
  expect(types.body).toMatchObject({ schemas: [LIST], totalResults: 2 });
  expect(types.body.Resources.map(({ endpoint, schema }: Record<string, string>) => [endpoint, schema])).toEqual([
    ["/Users", USER],
    ["/Groups", GROUP],
  ]);
  expect((await s.client.get("/ResourceTypes/User")).body).toEqual(types.body.Resources[0]);
  const user = await s.client.get(`/Schemas/${USER}`);
  const [userName] = user.body.attributes;
  const named = user.body.attributes.find(({ name }: { name: string }) => name === "userName");
  expect([userName.name, named]).toEqual([
    "name",
    {
      name: "userName",
      type: "string",
      multiValued: false,
      description: text,
      required: true,
      caseExact: false,
      mutability: "readWrite",
      returned: "default",
      uniqueness: "server",
    },
  ]);
  expect((await s.client.get("/Schemas")).body.Resources).toContainEqual(user.body);
});
