import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { updatePlatformConnection } from "../../db/platforms/platform-connections.ts";
import { addMs } from "../../core/shared/time.ts";
import type { BackgroundWork } from "../../src/jobs/background/background.ts";
import { maintainPlatform } from "../../src/jobs/background/maintain-platform.ts";
import { getFreshTokens } from "../../src/outside/platforms/fresh-tokens.ts";
import { world } from "../support/world.ts";
import { connectPlatform, tenantOf } from "./renewal-cases.ts";
import { platformScene } from "./scene.ts";

let scene: Awaited<ReturnType<typeof platformScene>>;

beforeAll(async () => {
  // No worker runs, so only a use of the connection refreshes its token.
  scene = await platformScene({ SERVE: "core,web" });
});

afterAll(() => scene[Symbol.asyncDispose]());

test("refreshes once for many concurrent uses in two processes, stores the rotated token and returns it to all", async () => {
  await using other = await world({
    dataDir: scene.w.config.DATA_DIR,
    env: { ...scene.settings, PORT: "0", SERVE: "core" },
  });
  const connection = await connectPlatform(scene);
  const before = await connection.tokens();
  await connection.expire();
  const { refreshes } = await scene.advertising.seen();
  const uses = [scene.w, other].flatMap(({ deps }) =>
    Array.from({ length: 20 }, () => getFreshTokens(connection.which, deps)),
  );
  const given = new Set((await Promise.all(uses)).map((usable) => usable?.accessToken));
  expect((await scene.advertising.seen()).refreshes).toBe(refreshes + 1);
  const after = await connection.tokens();
  expect([...given]).toEqual([after.accessToken]);
  expect(after.accessToken).not.toBe(before.accessToken);
  expect(after.refreshToken).not.toBe(before.refreshToken);
  expect(await connection.row()).toMatchObject({
    status: "active",
    problem: null,
    refreshPending: false,
    refreshOwner: null,
  });
  // The stored token must be the valid one: the platform revokes the permission when an old token
  // is reused.
  await connection.expire();
  expect(await getFreshTokens(connection.which, scene.w.deps)).toBeDefined();
});

test("a token that the platform refuses before its time is renewed", async () => {
  const connection = await connectPlatform(scene);
  const row = await connection.row();
  const usable = await getFreshTokens(connection.which, scene.w.deps, row);
  expect(usable?.accessToken).toBe((await connection.tokens()).accessToken);
  expect((await connection.row()).sealedTokens).not.toBe(row.sealedTokens);
});

test("expires a connection whose permission was revoked at the platform, and asks on the page to reconnect", async () => {
  const connection = await connectPlatform(scene);
  const { refreshToken } = await connection.tokens();
  const { address, settings } = scene.advertising;
  const fields = { token: refreshToken ?? "", client_id: settings.client_id, client_secret: settings.client_secret };
  await fetch(`${address}/token/revocation`, { method: "POST", body: new URLSearchParams(fields) });
  await connection.expire();
  expect(await getFreshTokens(connection.which, scene.w.deps)).toBeUndefined();
  const [told] = (await scene.owner.get(scene.rest)).body.data;
  expect(told).toMatchObject({
    status: "expired",
    problem: { code: "refused", message: expect.stringContaining("Connect again") },
  });
  expect((await scene.owner.patch(`${scene.rest}/${connection.id}`, { status: "active" })).status).toBe(409);
  await connectPlatform(scene);
  expect((await scene.owner.get(scene.rest)).body.data[0]).toMatchObject({ status: "active", problem: null });
});

test("keeps a connection during a platform outage, shows the outage, and refreshes when the platform is back", async () => {
  const connection = await connectPlatform(scene);
  await connection.expire();
  await scene.advertising.change({ down: "/token" });
  await expect(getFreshTokens(connection.which, scene.w.deps)).rejects.toThrow("HTTP 503");
  expect(await connection.row()).toMatchObject({ status: "active", problem: "unavailable", refreshOwner: null });
  await scene.advertising.change({ down: null });
  expect(await getFreshTokens(connection.which, scene.w.deps)).toBeDefined();
  expect(await connection.row()).toMatchObject({ status: "active", problem: null, refreshPending: false });
});

test("refreshes and lists accounts although a fast clock stored future timestamps for the connection", async () => {
  // Fault: a use waited for a lease of next year, and the accounts were listed again a year later.
  const connection = await connectPlatform(scene);
  const { deps, store } = scene.w;
  const ahead = addMs(deps.now(), 365 * 86_400_000);
  const noted = { refreshLeaseEnd: ahead, refreshOwner: "gone", accountsListedAt: ahead };
  await store.write((db) => updatePlatformConnection(tenantOf(scene, db), connection.id, noted));
  await connection.expire();
  const before = await connection.tokens();
  expect((await getFreshTokens(connection.which, deps))?.accessToken).not.toBe(before.accessToken);
  const job = {
    ...tenantOf(scene),
    kind: "keep_platform",
    subjectId: connection.id,
    id: "",
    attempts: 1,
    workerFailures: 0,
    progress: null,
  } as const;
  const work = { ...deps, log: pino({ level: "silent" }) };
  await maintainPlatform(job, work as unknown as BackgroundWork);
  expect((await connection.row()).accountsListedAt).not.toBe(ahead);
});

test("leaves no permission at the platform when a disconnect happens during a refresh", async () => {
  const connection = await connectPlatform(scene);
  await connection.expire();
  const { revocations } = await scene.advertising.seen();
  const usable = await getFreshTokens(connection.which, {
    ...scene.w.deps,
    outside: {
      platforms: new Map(
        [...scene.w.deps.outside.platforms].map(([kind, platform]) => [
          kind,
          {
            ...platform,
            async refresh(...renewal: Parameters<typeof platform.refresh>) {
              const tokens = await platform.refresh(...renewal);
              expect((await scene.owner.delete(`${scene.rest}/${connection.id}`)).status).toBe(200);
              return tokens;
            },
          },
        ]),
      ),
    },
  });
  expect(usable).toBeUndefined();
  expect((await scene.owner.get(scene.rest)).body.data).toEqual([]);
  // Revokes the old tokens on disconnect, and the new ones that arrived after it.
  expect((await scene.advertising.seen()).revocations).toBe(revocations + 2);
});

test("switched off, a connection's tokens are not used, nor renewed", async () => {
  const connection = await connectPlatform(scene);
  await connection.expire();
  await scene.owner.patch(`${scene.rest}/${connection.id}`, { status: "disabled" });
  const { refreshes } = await scene.advertising.seen();
  expect(await getFreshTokens(connection.which, scene.w.deps)).toBeUndefined();
  expect((await scene.advertising.seen()).refreshes).toBe(refreshes);
});
