import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { startKillableService } from "../support/killable-process.ts";
import { chooseExtent } from "../support/proof.ts";
import { evaluationScene, PAGE } from "./evaluation-scene.ts";
import { judgeAnswer, startJudgeServer } from "./judge-server.ts";
import { openCommitted } from "../support/committed.ts";
import { waitUntil } from "./model-scorer-cases.ts";
import { random } from "../support/random.ts";

const ASSETS = 20;

const KILLS = chooseExtent(2, 1);

test(
  "killed in the middle again and again, an evaluation ends with each asset judged once, to the credit",
  async () => {
    await using judge = await startJudgeServer(() => ({ delayMs: 30, content: judgeAnswer(["recycled rubber"]) }));
    const dataDir = await mkdtemp(join(tmpdir(), "judged-"));
    {
      await using s = await evaluationScene({ dataDir, env: { SERVE: "core" } });
      const ids: string[] = [];
      for (let index = 0; index < ASSETS; index++) ids.push(await s.addText(`Page ${index}`, PAGE));
      await s.create(ids);
    }
    const start = () =>
      startKillableService({ DATA_DIR: dataDir, SERVE: "worker", COLLECT_LEASE_SECONDS: "0.5", ...judge.env });
    const store = await openStore(dataDir);
    const { q, t } = openCommitted(store);
    const done = () => q.$count(t.assetScores, sql`${t.assetScores.status} = 'judged'`);
    let child: ChildProcess | undefined;
    try {
      for (let life = 0; life < KILLS; life++) {
        const before = await done();
        child = start();
        await waitUntil(async () => (await done()) >= before + 4);
        await sleep(random() * 40);
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      expect(await done()).toBeLessThan(ASSETS);
      child = start();
      await waitUntil(async () => (await q.$count(t.assetEvaluations, sql`finished_at is not null`)) === 1);
      child.kill("SIGTERM");
      await once(child, "exit");
      expect(await done()).toBe(ASSETS);
      const ledger = await q
        .select({ kind: t.ledgerEntries.kind, reserved: t.ledgerEntries.reservedDelta })
        .from(t.ledgerEntries)
        .where(sql`${t.ledgerEntries.evaluationId} is not null`)
        .orderBy(t.ledgerEntries.id);
      expect(ledger).toEqual([
        { kind: "reserve", reserved: ASSETS },
        { kind: "spend", reserved: -ASSETS },
      ]);
      const balances = await q.select().from(t.creditBalances);
      expect(balances).toMatchObject([{ available: 10_000 - ASSETS, reserved: 0 }]);
      // Only requests in flight at the crash are repeated.
      expect(judge.requests.length - ASSETS).toBeLessThanOrEqual(KILLS);
    } finally {
      child?.kill("SIGKILL");
      await store.close();
      await rm(dataDir, { recursive: true });
    }
  },
  60_000 + KILLS * 30_000,
);
