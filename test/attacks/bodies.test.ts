import { request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { expect, test } from "vitest";
import { isReadEndpoint } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { openCommitted } from "../support/committed.ts";
import { provisionedClient } from "../scim/client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, WITHOUT_LIMITS } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;

/** A request that sends its body only after 100 Continue; returns the response. */
function announce(
  w: World,
  asked: { method: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; invited: boolean; code: unknown; retryAfter: string | undefined }> {
  const { hostname, port } = new URL(w.config.baseUrl);
  const { method, path, headers = {}, body = "{}" } = asked;
  return new Promise((resolve, reject) => {
    let invited = false;
    const sent = httpRequest({
      host: hostname,
      port,
      method,
      path,
      headers: {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        ...headers,
        expect: "100-continue",
      },
    });
    sent.on("continue", () => {
      invited = true;
      sent.end(body);
    });
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        sent.destroy();
        const { statusCode: status = 0 } = response;
        const code = text.startsWith("{") ? (JSON.parse(text) as { code?: unknown }).code : undefined;
        resolve({ status, invited, code, retryAfter: response.headers["retry-after"] });
      });
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });
}

function form(): FormData {
  const parts = new FormData();
  parts.set("name", "b");
  return parts;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

test("rejects a body nested ten thousand deep before parsing, at each interface, with an audit row", async () => {
  // Attack: exhaust the stack with 10 kB of brackets.
  await using w = await world();
  const { owner, workspace, organization } = await w.acme();
  const scim = await provisionedClient(w, { owner, organization });
  const tool = bearer((await mintToolToken(w, owner)).token);
  for (const deep of [nested(65), nested(20_000), "[".repeat(10_000), `{"a":`.repeat(10_000)]) {
    const send = (path: string, headers: Record<string, string>) =>
      w.request("POST", path, { body: deep, headers: { "content-type": "application/json", ...headers } });
    expect((await send(`${workspace.path}/tags`, {})).status).toBe(401);
    expect((await send(`${workspace.path}/tags`, bearer(owner.accessToken))).body).toMatchObject({
      code: "VALIDATION_FAILED",
      message: "The body is nested deeper than 64 levels.",
    });
    expect((await send("/v1/auth/token", {})).body).toMatchObject({ code: "VALIDATION_FAILED" });
    expect((await scim.send("POST", "/Users", deep)).body).toMatchObject({
      status: "400",
      scimType: "invalidSyntax",
      detail: "The body is nested deeper than 64 levels.",
    });
    for (const headers of [{}, tool]) {
      const refused = await send("/mcp", headers);
      expect([refused.status, refused.body.error.code]).toEqual([400, -32_700]);
    }
    const inArguments = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me","arguments":{"a":${deep}}}}`;
    expect((await send("/mcp", tool)).status).toBe(400);
    const called = await w.request("POST", "/mcp", {
      body: inArguments,
      headers: { "content-type": "application/json", ...tool },
    });
    expect(called.status).toBe(400);
  }
  await w.deps.audit.flush();
  const { q, t } = openCommitted(w.store);
  const rows = await q.select({ endpoint: t.auditLog.endpoint, outcome: t.auditLog.outcome }).from(t.auditLog);
  for (const [endpoint, least] of [
    ["createTag", 4],
    ["unreadRequest", 12],
  ] as const) {
    const refused = rows.filter((row) => row.endpoint === endpoint && row.outcome === "VALIDATION_FAILED");
    expect([endpoint, refused.length]).toEqual([endpoint, least]);
  }
});

test("64 levels are taken, and brackets inside of texts are no levels", async () => {
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const send = (body: string) =>
    owner.request("POST", `${workspace.path}/tags`, { body, headers: { "content-type": "application/json" } });
  const name = `${"[{".repeat(40)}\\"`;
  expect(await send(JSON.stringify({ name }))).toMatchObject({ status: 201, body: { name } });
  const within = await send(`{"name":"x","more":${nested(63)}}`);
  expect(within.body.message).toBe("The request is not valid. Correct: more.");
  expect((await send(`{"name":"x","more":${nested(64)}}`)).body.message).toBe(
    "The body is nested deeper than 64 levels.",
  );
});

test("requests no byte of the body from a caller without write access, at any endpoint", async () => {
  // Attack: make the service take in and parse a megabyte for each request without credentials.
  await using w = await world({ env: WITHOUT_LIMITS });
  const { organization, workspace, owner } = await w.acme();
  const rival = await w.signIn("rival@rival.test");
  const filled = (path: string) =>
    path
      .replace(":organization_id", organization.id)
      .replace(":workspace_id", workspace.id)
      .replaceAll(/:\w+/g, w.deps.newId());
  const writes = endpoints.filter((one) => !isReadEndpoint(one) && one.method !== "DELETE" && one.access !== "public");
  expect(writes.length).toBeGreaterThan(40);
  for (const { name, method, path } of writes) {
    const { status, invited } = await announce(w, { method, path: filled(path) });
    expect([name, status, invited]).toEqual([name, 401, false]);
  }
  for (const { name, method, path } of writes.filter(({ access }) => typeof access === "object")) {
    const { status, invited } = await announce(w, { method, path: filled(path), headers: bearer(rival.accessToken) });
    expect([name, status, invited]).toEqual([name, 404, false]);
  }
  const unknown = await announce(w, { method: "POST", path: "/v1/nothing", headers: bearer(owner.accessToken) });
  expect([unknown.status, unknown.invited]).toEqual([404, false]);
  for (const [path, headers] of [
    ["/scim/v2/Users", {}],
    ["/mcp/connect", {}],
    ["/mcp", { origin: "https://rival.test" }],
    ["/mcp", bearer("not.a.token")],
  ] as const) {
    const refused = await announce(w, { method: "POST", path, headers });
    expect([path, refused.status, refused.invited]).toEqual([path, "origin" in headers ? 403 : 401, false]);
  }
  const viewer = await w.signIn("viewer@acme.test", { organizationId: organization.id, role: "viewer" });
  const tags = `${workspace.path}/tags`;
  expect(await announce(w, { method: "POST", path: tags, headers: bearer(viewer.accessToken) })).toMatchObject({
    status: 403,
    invited: false,
  });
  const own = { method: "POST", path: tags, headers: bearer(owner.accessToken), body: '{"name":"x"}' };
  expect(await announce(w, own)).toMatchObject({ status: 201, invited: true });
});

test("limits the body without a token on the tool server, and asks for a sign-in", async () => {
  // Attack: anonymous callers who fill the memory with useless messages.
  await using w = await world();
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { more: "x".repeat(70_000) } });
  const { status, invited } = await announce(w, { method: "POST", path: "/mcp", body });
  expect([status, invited]).toEqual([401, false]);
});

test("rejects bodies beyond the memory limit, serves the others, and frees the memory", async () => {
  // Attack: many clients that each send most of a large body and then wait.
  await using w = await world({ env: { ...WITHOUT_LIMITS, BODY_MEMORY_MB: "1" } });
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/tags`;
  const { hostname, port } = new URL(w.config.baseUrl);
  const begun = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const headers = { ...bearer(owner.accessToken), "content-type": "application/json", "content-length": "200000" };
      const request = httpRequest({ host: hostname, port, method: "POST", path, headers });
      const status = new Promise<number>((resolve, reject) => {
        request.on("response", (response) => resolve(response.resume().statusCode ?? 0));
        request.on("error", reject);
      });
      request.write(`{"name":"${"x".repeat(100_000)}`);
      await sleep(50);
      return { request, status };
    }),
  );
  // An account may hold a quarter of a megabyte, plus the first 16 KB of each body: three of four
  // fit.
  const first = await Promise.race(begun.map(({ status }) => status));
  expect(first).toBe(503);
  const rival = await w.signIn("rival@rival.test");
  expect((await rival.post(path, { name: "x".repeat(100_000) })).status).toBe(404);
  expect((await owner.post(path, { name: "small" })).status).toBe(201);
  const large = { method: "POST", path, headers: bearer(owner.accessToken), body: `{"name":"${"x".repeat(200_000)}"}` };
  expect(await announce(w, large)).toEqual({ status: 503, invited: true, code: "UNAVAILABLE", retryAfter: "1" });
  for (const { request, status } of begun) {
    status.catch(() => undefined);
    request.destroy();
  }
  await expect.poll(async () => (await announce(w, large)).status).toBe(400);
});

test("a client that breaks off is no error in the log", async () => {
  // Fault: alarms of operators rang for phones that lost their network.
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await using w = await world({ log });
  const { owner, workspace, organization } = await w.acme();
  const scim = await provisionedClient(w, { owner, organization });
  const tool = (await mintToolToken(w, owner)).token;
  const { hostname, port } = new URL(w.config.baseUrl);
  for (const [path, token, type] of [
    [`${workspace.path}/tags`, owner.accessToken, "application/json"],
    [`${workspace.path}/assets`, owner.accessToken, "multipart/form-data; boundary=b"],
    ["/v1/auth/token", "", "application/json"],
    ["/scim/v2/Users", scim.token, "application/scim+json"],
    ["/mcp", tool, "application/json"],
    ["/mcp", "", "application/json"],
    ["/sign-in", "", "application/x-www-form-urlencoded"],
    ["/oauth/token", "", "application/x-www-form-urlencoded"],
    ["/oauth/register", "", "application/json"],
  ] as const) {
    const headers = {
      "content-type": type,
      "content-length": "5000",
      origin: w.config.baseUrl,
      ...(token === "" ? {} : bearer(token)),
    };
    const request = httpRequest({ host: hostname, port, method: "POST", path, headers });
    request.on("error", () => undefined);
    request.write('--b\r\nContent-Disposition: form-data; name="content"; filename="x.txt"\r\n\r\n{"name":');
    await sleep(30);
    request.destroy();
  }
  await sleep(100);
  expect(lines).toEqual([]);
});

test("a repeat under an Idempotency-Key is known by its bytes, and a form by its parts", async () => {
  // Attack: occupy the service by making it serialise megabytes of JSON for comparison.
  await using w = await world();
  const { owner, workspace } = await w.acme();
  const path = `${workspace.path}/tags`;
  const headers = { "content-type": "application/json", "idempotency-key": "one" };
  const send = (body: string | FormData, over: Record<string, string> = {}) =>
    owner.request("POST", path, { body, headers: { ...headers, ...over } });
  const first = await send('{"name":"a"}');
  expect(await send('{"name":"a"}')).toMatchObject({ status: 201, body: { id: first.body.id } });
  expect(await send('{"name": "a"}')).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_MISMATCH" } });
  const sendForm = () => owner.request("POST", path, { body: form(), headers: { "idempotency-key": "two" } });
  const [once, again] = [await sendForm(), await sendForm()];
  expect([once.status, again.body.id]).toEqual([201, once.body.id]);
  const { q, t } = openCommitted(w.store);
  expect(await q.select().from(t.tags).where(eq(t.tags.workspaceId, workspace.id))).toHaveLength(2);
});
