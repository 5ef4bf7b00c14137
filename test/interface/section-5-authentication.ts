import { decodeJwt } from "jose";
import { expect } from "vitest";
import { issueSsoCode } from "../../auth/sso/sso-codes.ts";
import type { SsoInitiator } from "../../core/identity/sso.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { testFields } from "./field-rules.ts";
import { atInstant, coreScene, withApiKey } from "./core-scene.ts";
import { FIELD_TABLES } from "./field-tables.ts";
import { answerSchema, bodySchema, schemaFields, operationOf } from "./reference-document.ts";
import { platformScene } from "../platforms/scene.ts";
import { rule } from "./rule.ts";
import { providerProof } from "../sign-in/address-proof.ts";

// Sections 4.3, 4.5, 4.8 and 5: authentication of programs and people.

rule("4.3 · address", async () => {
  const w = await coreScene();
  expect(operationOf(w.reference, "POST", "/v1/auth/token").security).toEqual([]);
  expect((await w.request("POST", "/v1/auth/token", { body: { api_key: w.owner.apiKey } })).status).toBe(200);
});

rule("4.3 · api_key", async () => {
  const w = await coreScene();
  const body = bodySchema(w.reference, operationOf(w.reference, "POST", "/v1/auth/token"));
  expect(schemaFields(w.reference, body)["api_key"]).toMatchObject({ type: "string" });
  expect(body["required"]).toEqual(["api_key"]);
  expect(await w.request("POST", "/v1/auth/token", { body: {} })).toMatchObject({
    status: 400,
    body: { fields: [{ path: "api_key" }] },
  });
  const wrong = await w.request("POST", "/v1/auth/token", { body: { api_key: `${w.owner.apiKey}x` } });
  expect(wrong).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
  const yearLater = await atInstant("2027-11-21T08:00:00.000Z", () =>
    w.request("POST", "/v1/auth/token", { body: { api_key: w.owner.apiKey } }),
  );
  expect(yearLater.status).toBe(200);
});

rule("4.3 · access_token", async () => {
  const w = await coreScene();
  const { body } = await w.request("POST", "/v1/auth/token", { body: { api_key: w.owner.apiKey } });
  const { iat = 0, exp = 0 } = decodeJwt(body.access_token);
  expect([exp - iat, body.expires_in]).toEqual([900, 900]);
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await w.request("GET", "/v1/workspaces", { headers })).status).toBe(200);
});

/** Token exchange after a sign-in by the organization's identity provider. */
async function exchanged(initiatedBy: SsoInitiator) {
  const w = await coreScene();
  const { owner, organization } = w;
  const signIn = {
    organizationId: organization.id,
    userId: owner.id,
    authenticatedAt: null,
    proofId: await providerProof(w, owner.id, organization.id),
    browserHash: null,
    forProgram: true,
    loopbackUri: null,
    initiatedBy,
    relayPath: "/actions",
  };
  const code = await w.store.write((db) => issueSsoCode(db, signIn, w.deps.now()));
  const answer = await w.request("POST", "/v1/auth/sso/exchange", { body: { code } });
  return { code, answer };
}

testFields("2.4", FIELD_TABLES["2.4"]?.map(({ name }) => name) ?? [], async () => {
  const { reference } = await coreScene();
  const schema = answerSchema(reference, operationOf(reference, "POST", "/v1/auth/sso/exchange"), 200);
  return { reference, schema, rows: [(await exchanged("sp")).answer.body, (await exchanged("idp")).answer.body] };
});

rule("4.4 · address", async () => {
  const { reference } = await coreScene();
  const operation = operationOf(reference, "POST", "/v1/auth/sso/exchange");
  expect([operation.tags, operation.security]).toEqual([["SSO"], []]);
  expect((await exchanged("sp")).answer.status).toBe(200);
});

rule("4.4 · code", async () => {
  const w = await coreScene();
  const body = bodySchema(w.reference, operationOf(w.reference, "POST", "/v1/auth/sso/exchange"));
  expect([schemaFields(w.reference, body)["code"], body["required"]]).toMatchObject([{ type: "string" }, ["code"]]);
  const { code } = await exchanged("sp");
  const again = await w.request("POST", "/v1/auth/sso/exchange", { body: { code } });
  expect(again).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
});

rule("4.4 · response", async () => {
  const answers = [(await exchanged("sp")).answer, (await exchanged("idp")).answer];
  const token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(answers.map(({ body }) => body)).toEqual([
    { token, initiated_by: "sp", relay_path: "/actions" },
    { token, initiated_by: "idp", relay_path: "/actions" },
  ]);
});

rule("5 · single sign-on", async () => {
  const w = await coreScene();
  const { answer } = await exchanged("sp");
  expect(decodeJwt(answer.body.token).sub).toBe(w.owner.id);
  const headers = { authorization: `Bearer ${answer.body.token}` };
  expect((await w.request("GET", "/v1/workspaces", { headers })).status).toBe(200);
});

rule("4.5 · address", async () => {
  const w = await coreScene();
  expect(operationOf(w.reference, "GET", "/v1/workspaces").security).toEqual([{ bearer: [] }]);
  expect((await w.request("GET", "/v1/workspaces")).status).toBe(401);
  expect((await w.owner.get("/v1/workspaces")).status).toBe(200);
});

rule("4.5 · response", async () => {
  const w = await coreScene();
  const ids = async (person: { get: typeof w.owner.get }) =>
    (await person.get("/v1/workspaces")).body.data.map((row: { id: string }) => row.id).toSorted();
  expect(await ids(w.owner)).toEqual([w.workspace.id, w.second.id].toSorted());
  const { organization, workspace, rival } = w;
  const guest = { organizationId: organization.id, role: "guest" as const, workspaceId: workspace.id };
  expect(await ids(await w.signIn("guest@acme.test", { ...guest, workspaceRole: "viewer" }))).toEqual([workspace.id]);
  const member = { organizationId: rival.organization.id, role: "viewer" as const };
  expect(await ids(await w.signIn("viewer@rival.test", member))).toEqual([rival.workspace.id]);
});

rule("4.8 · refresh", async () => {
  const w = await coreScene();
  const { body } = await w.request("POST", "/v1/auth/token", { body: { api_key: w.owner.apiKey } });
  const refreshed = await w.request("POST", "/v1/auth/refresh", { body: { refresh_token: body.refresh_token } });
  expect(refreshed).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
  const headers = { authorization: `Bearer ${refreshed.body.access_token}` };
  expect((await w.request("GET", "/v1/auth/me", { headers })).status).toBe(200);
});

rule("5 · bearer", async () => {
  const w = await coreScene();
  const open = /^\/v1\/auth\/(token|refresh|revoke|sso\/exchange)$/;
  const operations = Object.entries(w.reference.paths).flatMap(([path, byMethod]) =>
    Object.values(byMethod).map(({ security }) => [path, JSON.stringify(security)]),
  );
  const without = operations.filter(([, security]) => security !== '[{"bearer":[]}]').map(([path]) => path ?? "");
  expect(without.filter((path) => !open.test(path))).toEqual([]);
  const { accessToken } = w.owner;
  const as = async (headers: Record<string, string>) => (await w.request("GET", "/v1/workspaces", { headers })).status;
  expect(await as({ authorization: `Bearer ${accessToken}` })).toBe(200);
  expect([await as({ authorization: accessToken }), await as({ "x-api-key": accessToken })]).toEqual([401, 401]);
});

rule("5 · expired", async () => {
  const w = await coreScene();
  const late = await atInstant("2026-11-21T08:16:00.000Z", () => w.owner.get("/v1/workspaces"));
  expect(late).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
  expect(late.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
});

rule("5 · new token", async () => {
  const w = await coreScene();
  const first = await w.request("POST", "/v1/auth/token", { body: { api_key: w.owner.apiKey } });
  await atInstant("2026-11-21T09:00:00.000Z", async () => {
    const ways = [
      await w.request("POST", "/v1/auth/token", { body: { api_key: w.owner.apiKey } }),
      await w.request("POST", "/v1/auth/refresh", { body: { refresh_token: first.body.refresh_token } }),
    ];
    for (const { body } of ways) {
      const headers = { authorization: `Bearer ${body.access_token}` };
      expect((await w.request("GET", "/v1/workspaces", { headers })).status).toBe(200);
    }
  });
});

rule("5 · user key", async () => {
  const w = await coreScene();
  const email = "both@acme.test";
  await w.signIn(email, { organizationId: w.organization.id, role: "viewer" });
  const person = await w.signIn(email, { organizationId: w.rival.organization.id, role: "viewer" });
  const { get } = await withApiKey(w, person, { kind: "user" });
  expect([(await get(w.organization.path)).status, (await get(w.rival.organization.path)).status]).toEqual([200, 200]);
});

rule("5 · organization key", async () => {
  const w = await coreScene();
  const person = await w.signIn("owner@both.test", { organizationId: w.organization.id, role: "owner" });
  await w.signIn("owner@both.test", { organizationId: w.rival.organization.id, role: "owner" });
  const { get } = await withApiKey(w, person, { kind: "organization", organization_id: w.organization.id });
  const addresses = [w.organization.path, w.workspace.path, w.second.path, w.rival.organization.path];
  const statuses = await Promise.all(addresses.map(async (path) => (await get(path)).status));
  expect(statuses).toEqual([200, 200, 200, 404]);
});

rule("5 · workspace key", async () => {
  const w = await coreScene();
  const scope = { kind: "workspace", organization_id: w.organization.id, workspace_id: w.workspace.id };
  const { get } = await withApiKey(w, w.owner, scope);
  const addresses = [w.workspace.path, w.second.path, w.rival.workspace.path];
  const statuses = await Promise.all(addresses.map(async (path) => (await get(path)).status));
  expect(statuses).toEqual([200, 404, 404]);
});

rule("5 · key value", async () => {
  const w = await coreScene();
  const { made } = await withApiKey(w, w.owner, { kind: "user" });
  const secret: string = made.body.api_key;
  expect(secret).toMatch(/^bva_/);
  const listed = await w.owner.get("/v1/api-keys?limit=100");
  expect(listed.body.data.map((key: { id: string }) => key.id)).toContain(made.body.id);
  expect(JSON.stringify(listed.body)).not.toContain(secret);
});

rule("5 · raw key", async () => {
  const w = await coreScene();
  const headers = { authorization: `Bearer ${w.owner.apiKey}` };
  for (const path of ["/v1/workspaces", w.workspace.path, `/api/v1/projects?client_id=${w.organization.id}`]) {
    expect([path, (await w.request("GET", path, { headers })).status]).toEqual([path, 401]);
  }
});

rule("5 · declared scheme", async () => {
  const { reference } = await coreScene();
  // The `http` scheme `bearer` is by definition the header named Authorization (RFC 6750 section
  // 2.1).
  expect(reference.components.securitySchemes).toMatchObject({ bearer: { type: "http", scheme: "bearer" } });
});

rule("5 · OAuth 2.0", async () => {
  await using scene = await platformScene();
  const { arrived } = await scene.connect("advertising");
  expect([arrived.url.pathname, arrived.url.search]).toEqual([scene.page, "?came=connected"]);
  expect((await scene.connect("social_video")).arrived.url.search).toBe("?came=connected");
  const { body } = await scene.owner.get(scene.rest);
  expect(body.data.map(({ platform, status }: Record<string, string>) => [platform, status])).toEqual([
    ["advertising", "active"],
    ["social_video", "active"],
  ]);
  // Integrations are not called directly: none creates a connection, and OAuth cannot call the
  // others.
  const { reference } = await coreScene();
  const integrations = Object.entries(reference.paths).filter(([path]) => path.includes("/platform-integrations"));
  const making = integrations.filter(([, byMethod]) => byMethod["post"] ?? byMethod["put"]);
  expect(new Set(making.map(([path]) => path.split("/").at(-1)))).toEqual(new Set(["partner", "refresh"]));
  expect(Object.keys(reference.components.securitySchemes)).toEqual(["bearer"]);
});

rule("5 · agent tools", async () => {
  const w = await coreScene();
  const viewer = await w.signIn("reader@acme.test", { organizationId: w.organization.id, role: "viewer" });
  const { token } = await mintToolToken(w, viewer);
  await using client = await CLIENTS["SDK 2, auto"]?.(w.config.mcpUrl, { token });
  const ids = { organization_id: w.organization.id, workspace_id: w.workspace.id };
  expect(await client?.call("get_workspace", ids)).toMatchObject({ isError: false });
  const refused = await client?.call("create_persona", { ...ids, name: "x", language: "en", country: "US" });
  expect(JSON.parse(refused?.text ?? "")).toMatchObject({ code: "FORBIDDEN" });
  const rest = await w.request("GET", "/v1/workspaces", { headers: { authorization: `Bearer ${token}` } });
  expect(rest.status).toBe(401);
});
