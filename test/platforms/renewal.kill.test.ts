import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { findPlatformConnection } from "../../db/platforms/platform-connections.ts";
import { freePort, startServiceProcess } from "../support/killable-process.ts";
import { world } from "../support/world.ts";
import { insertConnection } from "./insert-connection.ts";
import { connectPlatform } from "./renewal-cases.ts";
import { platformScene } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";

let scene: Awaited<ReturnType<typeof platformScene>>;

beforeAll(async () => {
  // No worker runs, so only a use of the connection refreshes its token.
  scene = await platformScene({ SERVE: "core,web" });
});

afterAll(() => scene[Symbol.asyncDispose]());

test("retries a refresh after being killed between the platform's response and its storage, and reports the lost token", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-renewal-"));
  const advertising = scene.advertising;
  const env = { ...scene.settings, DATA_DIR: dataDir, DEMO: "0", LOG_LEVEL: "info", COLLECT_LEASE_SECONDS: "1" };
  await using made = await world({ dataDir, env: { ...env, SERVE: "core,web", PORT: "0", LOG_LEVEL: "silent" } });
  const { owner, organization, workspace } = await made.acme();
  const which = { organizationId: organization.id, workspaceId: workspace.id };
  const tokens = await (await connectPlatform(scene)).tokens();
  const at = made.deps.now();
  const of = { ...which, userId: owner.id, platform: "advertising" as const };
  const id = await insertConnection(made, of, { ...tokens, expiresAt: at });
  await made.store.write((db) =>
    enqueueBackgroundJob({ ...which, db }, { id: made.deps.newId(), kind: "keep_platform", subjectId: id, at }),
  );
  const row = () => findPlatformConnection({ ...which, db: openCommitted(made.store) }, id);
  await advertising.change({ holdsRefreshes: true });
  const { held } = await advertising.seen();
  const service = await startServiceProcess({ ...env, SERVE: "worker", PORT: String(await freePort()) });
  await expect.poll(async () => (await advertising.seen()).held, { timeout: 15_000 }).toBeGreaterThan(held);
  expect(await row()).toMatchObject({ status: "active", refreshPending: true });
  await service.kill();
  await advertising.change({ holdsRefreshes: false });
  const next = await startServiceProcess({ ...env, SERVE: "worker", PORT: String(await freePort()) });
  await expect.poll(async () => (await row())?.status, { timeout: 20_000 }).toBe("expired");
  await next.kill();
  const told = await owner.get(`${workspace.path}/platform-integrations`);
  expect(told.body.data[0].problem).toEqual({
    code: "interrupted",
    message: "A token renewal was interrupted and its response was lost. Connect again.",
  });
  const files = await Promise.all(["visibility.db", "visibility.db-wal"].map((file) => readFile(join(dataDir, file))));
  for (const secret of [tokens.accessToken, tokens.refreshToken ?? ""]) {
    expect(files.map((file) => file.includes(secret))).toEqual([false, false]);
  }
  await rm(dataDir, { recursive: true });
}, 60_000);
