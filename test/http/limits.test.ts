import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { getClientAddress } from "../../src/limits/open-limits.ts";
import { openLimiter } from "../../src/limits/rate-limits.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const REVISION = "2026-07-28";

test("each response states the remaining limits, and one call too many returns 429 with the wait", async () => {
  await using w = await world({ env: { RATE_LIMIT_KEY: "3" } });
  const { owner } = await w.acme();
  const answers = [];
  for (let call = 0; call < 4; call++) answers.push(await owner.get("/v1/auth/me"));
  const [first, , , last] = answers;
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(first?.headers.get("ratelimit-policy")).toBe('"address";q=6000;w=60, "key";q=3;w=60, "account";q=2400;w=60');
  expect(first?.headers.get("ratelimit")).toMatch(
    /^"address";r=\d{4};t=\d{1,2}, "key";r=2;t=60, "account";r=2399;t=60$/,
  );
  expect(last?.body).toEqual({
    code: "RATE_LIMITED",
    message: expect.stringMatching(/^Too many requests by one API key\. Wait \d{1,2} seconds, then try again\.$/),
    request_id: last?.headers.get("x-request-id"),
  });
  expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(last?.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  const colleague = await w.signIn("colleague@acme.test");
  expect((await colleague.get("/v1/auth/me")).status).toBe(200);
});

test("an account has one limit over all its keys; 0 disables a limit", async () => {
  await using w = await world({
    env: { RATE_LIMIT_ACCOUNT: "4", RATE_LIMIT_KEY: "0", RATE_LIMIT_ADDRESS: "0" },
  });
  const { owner } = await w.acme();
  const again = await w.signIn(owner.email);
  const statuses = [];
  for (const person of [owner, again, owner, again, owner]) statuses.push((await person.get("/v1/auth/me")).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  const { headers } = await owner.get("/v1/auth/me");
  expect(headers.get("ratelimit-policy")).toBe('"account";q=4;w=60');
});

/** Speaks to the tool server without a client's help. */
async function post(w: Awaited<ReturnType<typeof world>>, token: string, message: object | object[]) {
  const method = "method" in message ? String(message.method) : "";
  const headers = Array.isArray(message)
    ? { "mcp-protocol-version": "2025-03-26" }
    : {
        "mcp-protocol-version": REVISION,
        "mcp-method": method,
        ...(method === "tools/call" ? { "mcp-name": "get_me" } : {}),
      };
  return w.request("POST", w.config.mcpUrl, {
    headers: { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream", ...headers },
    body: message,
  });
}

const meta = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};
const getMe = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_me", arguments: {}, ...meta } };

test("a rate-limited assistant gets a tool result that a model can act on", async () => {
  await using w = await world({ env: { RATE_LIMIT_CLIENT: "2" } });
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  const answers = [];
  for (let call = 0; call < 3; call++) answers.push(await post(w, token, getMe));
  expect(answers.map(({ status, body }) => [status, body.result.isError])).toEqual([
    [200, undefined],
    [200, undefined],
    [200, true],
  ]);
  const refused = answers[2];
  expect(JSON.parse(refused?.body.result.content[0].text)).toEqual({
    code: "RATE_LIMITED",
    message: expect.stringMatching(/^Too many requests by one assistant\. Wait \d{1,2} seconds, then try again\.$/),
    retryable: true,
    hint: expect.stringContaining("call again"),
  });
  expect(refused?.headers.get("retry-after")).toMatch(/^\d{1,2}$/);
  expect(refused?.headers.get("ratelimit")).toContain('"client";r=0;');
  const list = await post(w, token, { jsonrpc: "2.0", id: 2, method: "tools/list", params: meta });
  expect([list.status, list.body.error.message]).toEqual([429, expect.stringContaining("Wait")]);
  expect(list.headers.get("retry-after")).toMatch(/^\d{1,2}$/);
});

test("each call of a batch counts, and one person's assistant does not use up another's limit", async () => {
  // Attack: a hundred calls in one request; and blocking all users of one client.
  await using w = await world({ env: { RATE_LIMIT_CLIENT: "5" } });
  const { owner, organization } = await w.acme();
  const editor = await w.signIn("editor@acme.test", { organizationId: organization.id, role: "editor" });
  const [mine, theirs] = [await mintToolToken(w, owner), await mintToolToken(w, editor)];
  const batch = Array.from({ length: 6 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
  expect((await post(w, mine.token, batch)).status).toBe(429);
  expect((await post(w, mine.token, getMe)).body.result.isError).toBe(true);
  expect((await post(w, theirs.token, getMe)).body.result.isError).toBeUndefined();
});

test("limits an address over all requests, identified only by the nearest proxy", async () => {
  // Attack: a forged X-Forwarded-For with another address in every request.
  for (const [env, statuses] of [
    [{ RATE_LIMIT_ADDRESS: "2" }, [404, 404, 429, 429]],
    [{ RATE_LIMIT_ADDRESS: "2", TRUST_PROXY: "1" }, [404, 404, 429, 404]],
  ] as const) {
    await using w = await world({ env });
    const asked = ["1.1.1.1, 9.9.9.9", "2.2.2.2, 9.9.9.9", "3.3.3.3, 9.9.9.9", "9.9.9.9, 4.4.4.4"];
    const answers = [];
    for (const forwarded of asked) {
      answers.push(await w.request("GET", "/v1/nothing", { headers: { "x-forwarded-for": forwarded } }));
    }
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(answers[2]?.body).toMatchObject({ code: "RATE_LIMITED" });
    expect((await w.request("GET", "/healthz")).status).toBe(200);
  }
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s is counted as %s", (remoteAddress, counted) => {
  // Only these fields are read; test sockets are all on loopback.
  expect(getClientAddress({ headers: {}, socket: { remoteAddress } } as IncomingMessage, false)).toBe(counted);
});

test("with any number of keys, few counters are stored, known ones are not evicted, and none is free", async () => {
  // Attack: filling memory, or evicting one's own counter, from many addresses.
  const limiter = openLimiter({ name: "test", maxCount: 5, windowSeconds: 60, maxKeys: 100 });
  for (let time = 0; time < 5; time++) await limiter.consume("mallory");
  const over = new Set<boolean>();
  for (let number = 0; number < 20_000; number++) over.add((await limiter.consume(`address ${number}`)).isExceeded);
  expect((await limiter.consume("mallory")).isExceeded).toBe(true);
  expect((await limiter.consume("address 3")).isExceeded).toBe(false);
  expect([...over]).toEqual([false, true]);
});
