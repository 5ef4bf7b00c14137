import { afterEach, expect, test, vi } from "vitest";
import { assistant, sceneWithPassword } from "../assistant.ts";
import { world } from "../world.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Moves every clock of this process, the library's included. */
function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: ms });
}

async function accepts(w: Awaited<ReturnType<typeof world>>, accessToken: string): Promise<boolean> {
  return w.deps.toolTokens.verify(w.store, accessToken, w.deps.now()).then(
    () => true,
    () => false,
  );
}

test("parallel refreshes of one token keep an honest person signed in", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await assistant(w);
  let { body } = await probe.connect();
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all([1, 2, 3].map(() => probe.refresh(body.refresh_token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    ({ body } = answers[round % 3] ?? { body });
    expect(await accepts(w, body.access_token)).toBe(true);
  }
});

test("a rotated refresh token works for a minute more; using it later ends its whole family", async () => {
  // Attack: a refresh token that was stolen before its owner rotated it.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await assistant(w);
  const start = Date.now();
  const first = await probe.connect();
  const second = await probe.refresh(first.body.refresh_token);
  setClock(start + 50_000);
  expect(await probe.refresh(first.body.refresh_token)).toMatchObject({ status: 200 });
  setClock(start + 70_000);
  expect(await accepts(w, second.body.access_token)).toBe(true);
  expect(await probe.refresh(first.body.refresh_token)).toMatchObject({
    status: 400,
    body: { error: "invalid_grant" },
  });
  expect(await accepts(w, second.body.access_token)).toBe(false);
  expect(await probe.refresh(second.body.refresh_token)).toMatchObject({ status: 400 });
});

test("a refresh gives no more than the person allowed, and nothing to anybody else", async () => {
  // Attack: scope escalation, another resource, or another client at refresh.
  await using w = await world();
  await sceneWithPassword(w);
  const [probe, thief] = [await assistant(w), await assistant(w)];
  const { body } = await probe.connect({ over: { scope: "read personas:create" } });
  const refused = [
    await probe.refresh(body.refresh_token, { scope: "read analyses:create" }),
    await probe.refresh(body.refresh_token, { scope: "read personas:create evaluations:manage" }),
    await probe.refresh(body.refresh_token, { resource: "https://rival.test/mcp" }),
    await probe.refresh(body.refresh_token, { resource: `${w.config.baseUrl}/v1` }),
    await probe.refresh(body.refresh_token, { resource: `${w.config.mcpUrl}/connect` }),
    await thief.refresh(body.refresh_token),
    await probe.refresh(body.refresh_token, { client_id: thief.clientId }),
    await probe.refresh(body.access_token),
    await probe.refresh(`${body.refresh_token}x`),
  ];
  expect(refused.map(({ status, body: { error } }) => [status, error])).toEqual([
    [400, "invalid_scope"],
    [400, "invalid_scope"],
    [400, "invalid_target"],
    [400, "invalid_target"],
    [400, "invalid_target"],
    [400, "invalid_grant"],
    [400, "invalid_grant"],
    [400, "invalid_grant"],
    [400, "invalid_grant"],
  ]);
  const narrower = await probe.refresh(body.refresh_token, { scope: "read" });
  expect([narrower.status, narrower.body.scope]).toEqual([200, "read"]);
});

test("parallel refreshes of one REST token keep an honest program going, and one reuse later ends them all", async () => {
  // Attack: a refresh token that was stolen from a program that refreshes from two places.
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  const pair = (await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } })).body;
  const refresh = (refresh_token: string) => w.request("POST", "/v1/auth/refresh", { body: { refresh_token } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(pair.refresh_token)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(8);
  const me = async (token: string) =>
    (await w.request("GET", "/v1/auth/me", { headers: { authorization: `Bearer ${token}` } })).status;
  const tokens = answers.map(({ body }) => String(body.access_token));
  expect(await Promise.all(tokens.map(me))).toEqual(tokens.map(() => 200));
  now = "2026-11-21T08:01:00.000Z";
  const late = await Promise.all([1, 2, 3].map(() => refresh(pair.refresh_token)));
  expect(late.map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(await Promise.all(tokens.map(me))).toEqual(tokens.map(() => 401));
  expect((await refresh(answers[0]?.body.refresh_token)).status).toBe(401);
});
