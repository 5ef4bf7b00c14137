import { and, eq, isNull } from "drizzle-orm";
import { decodeJwt } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import { createOAuthClient, sceneWithPassword } from "../support/assistant.ts";
import { openCommitted } from "../support/committed.ts";
import { world } from "../support/world.ts";
import { findCallerOf } from "../support/tool-token.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Moves every clock of this process, the library's included. */
function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: ms });
}

async function accepts(w: Awaited<ReturnType<typeof world>>, accessToken: string): Promise<boolean> {
  return findCallerOf(w.deps.toolTokens, w.store, accessToken, w.deps.now()).then(
    () => true,
    () => false,
  );
}

test("concurrent refreshes of one token keep an honest person signed in", async () => {
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
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
  const probe = await createOAuthClient(w);
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

test("a refresh exceeds neither the grant nor its client", async () => {
  // Attack: scope escalation, another resource, or another client at refresh.
  await using w = await world();
  await sceneWithPassword(w);
  const [probe, thief] = [await createOAuthClient(w), await createOAuthClient(w)];
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

test("concurrent refreshes of one REST token keep an honest program signed in; a later reuse revokes all", async () => {
  // Attack: a refresh token that was stolen from a program that refreshes from two places.
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  const pair = (await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } })).body;
  const refresh = (refresh_token: string) => w.request("POST", "/v1/auth/refresh", { body: { refresh_token } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(pair.refresh_token)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
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

test("a refresh repeated within its leeway returns the same successor, so that a thief gets no separate chain", async () => {
  // Attack: a stolen refresh token used within the leeway, for tokens that outlive the owner's.
  await using w = await world();
  await sceneWithPassword(w);
  const probe = await createOAuthClient(w);
  const start = Date.now();
  const { body: first } = await probe.connect();
  const answers = await Promise.all(Array.from({ length: 8 }, () => probe.refresh(first.refresh_token)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const [second, ...others] = new Set(answers.map(({ body }) => String(body.refresh_token)));
  expect(others).toEqual([]);
  // After a lost response, the client continues from the current token, not from a used one.
  const { body: third } = await probe.refresh(second ?? "");
  setClock(start + 40_000);
  const { body: repeated } = await probe.refresh(first.refresh_token);
  expect(repeated.refresh_token).toBe(third.refresh_token);
  setClock(start + 900_000);
  const fourth = await probe.refresh(third.refresh_token);
  expect([fourth.status, await accepts(w, fourth.body.access_token)]).toEqual([200, true]);
  expect(await probe.refresh(first.refresh_token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect((await probe.refresh(fourth.body.refresh_token)).status).toBe(400);
});

test("a program that lost a refresh response continues, and each family has one live refresh token", async () => {
  // Attack: the same with a refresh token of the REST interface.
  let now = "2026-11-21T08:00:00.000Z";
  await using w = await world({ now: () => now });
  const { owner } = await w.acme();
  const { body: first } = await w.request("POST", "/v1/auth/token", { body: { api_key: owner.apiKey } });
  const refresh = (refresh_token: string) => w.request("POST", "/v1/auth/refresh", { body: { refresh_token } });
  const live = async () => {
    const { q, t } = openCommitted(w.store);
    const { familyId } = decodeFamily(first.access_token);
    return q
      .select()
      .from(t.refreshTokens)
      .where(and(eq(t.refreshTokens.familyId, familyId), isNull(t.refreshTokens.rotatedAt)));
  };
  const { body: lost } = await refresh(first.refresh_token);
  now = "2026-11-21T08:00:30.000Z";
  const { body: second } = await refresh(first.refresh_token);
  expect([second.refresh_token, second.refresh_expires_in]).toEqual([lost.refresh_token, 30 * 86_400 - 30]);
  const { body: third } = await refresh(second.refresh_token);
  const { body: repeated } = await refresh(first.refresh_token);
  expect(repeated.refresh_token).toBe(third.refresh_token);
  expect(await live()).toHaveLength(1);
  now = "2026-11-21T08:15:00.000Z";
  const fourth = await refresh(third.refresh_token);
  expect(fourth.status).toBe(200);
  expect((await refresh(first.refresh_token)).status).toBe(401);
  expect((await refresh(fourth.body.refresh_token)).status).toBe(401);
});

function decodeFamily(accessToken: string): { familyId: string } {
  return { familyId: String(decodeJwt(accessToken)["gid"]) };
}
