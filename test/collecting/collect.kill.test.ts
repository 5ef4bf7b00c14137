import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { countDistinct, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { unpackSums } from "../../core/metrics/packed-sums.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { startKillableService } from "../support/killable-process.ts";
import { chooseExtent } from "../support/proof.ts";
import { answerAllBut, findRollupDifferences, readCollectState } from "./collect-end.ts";
import { recordedLines } from "../catalog/scene.ts";
import { runLaunchJob } from "./launch-jobs.ts";
import { startAssistant, responseBody } from "./provider.ts";
import { collectScene } from "./scene.ts";
import { openCommitted } from "../support/committed.ts";
import { random } from "../support/random.ts";

const KILLS = chooseExtent(10, 1);
const JOBS = chooseExtent(2000, 200);
/** Answers that a process stores at least before it is killed. */
const BEFORE_A_KILL = chooseExtent(120, 60);
const CONCURRENCY = 8;

test(
  `killed ${KILLS} times during ${JOBS} questions, a collect completes with one answer each, to the credit`,
  async () => {
    await using provider = await startAssistant((prompt) => ({
      delayMs: 4,
      body: responseBody(`**Acme** for ${prompt}`),
    }));
    const dataDir = await mkdtemp(join(tmpdir(), "killed-"));
    const keywords = Array.from({ length: JOBS }, (_, index) => `phone ${index}`);
    {
      await using s = await collectScene({ dataDir, env: { SERVE: "core" } });
      await s.create(keywords);
    }
    const store = await openStore(dataDir);
    const { q, t } = openCommitted(store);
    const start = () =>
      startKillableService({
        DATA_DIR: dataDir,
        SERVE: "core,worker",
        COLLECT_CONCURRENCY: String(CONCURRENCY),
        COLLECT_LEASE_SECONDS: "2",
        ...provider.env,
      });
    let child: ChildProcess | undefined;
    try {
      const answered: number[] = [];
      for (let life = 0; life < KILLS; life++) {
        const before = await q.$count(t.answers);
        child = start();
        while ((await q.$count(t.answers)) < before + BEFORE_A_KILL) await sleep(5);
        // Some moment: within a transaction, between two, or while everything waits for the
        // provider.
        await sleep(random() * 60);
        child.kill("SIGKILL");
        await once(child, "exit");
        answered.push(await q.$count(t.answers));
      }
      expect(answered.at(-1)).toBeLessThan(JOBS);
      expect(await q.select({ status: t.collects.status }).from(t.collects)).toEqual([{ status: "running" }]);

      child = start();
      for (let waited = 0; (await q.$count(t.collects, sql`${t.collects.finishedAt} is null`)) > 0; waited += 20) {
        if (waited > 120_000) throw new Error("the collect did not end");
        await sleep(20);
      }
      child.kill("SIGTERM");
      await once(child, "exit");

      expect(
        await q.select({ distinct: countDistinct(t.answers.questionId), all: sql`count(*)` }).from(t.answers),
      ).toEqual([{ distinct: JOBS, all: JOBS }]);
      expect(await q.$count(t.jobs, sql`${t.jobs.status} <> 'succeeded'`)).toBe(0);
      expect(await q.select().from(t.collects)).toMatchObject([
        { status: "completed", succeeded: JOBS, failed: 0, reservedCredits: 0, costCredits: JOBS },
      ]);
      const { availableDelta, reservedDelta, kind } = t.ledgerEntries;
      const [ledger] = await q
        .select({
          available: sql`sum(${availableDelta})`,
          reserved: sql`sum(${reservedDelta})`,
          spent: sql`-sum(case when ${kind} = 'spend' then ${reservedDelta} else 0 end)`,
        })
        .from(t.ledgerEntries);
      expect(ledger).toEqual({ available: 10_000 - JOBS, reserved: 0, spent: JOBS });
      expect(
        await q
          .select({ available: t.creditBalances.available, reserved: t.creditBalances.reserved })
          .from(t.creditBalances),
      ).toEqual([{ available: 10_000 - JOBS, reserved: 0 }]);
      expect(
        await q
          .select({ sums: t.collectSums.sums })
          .from(t.collectSums)
          .where(sql`source = 'ALL' and keyword_class = 'Generic'`)
          .then((rows) => rows.map(({ sums }) => unpackSums(sums).total)),
      ).toEqual([JOBS]);
      // Only questions in flight at a kill are repeated: at most twice the concurrency.
      const asked = [...provider.asked.values()].reduce((sum, times) => sum + times, 0);
      expect(asked - JOBS).toBeLessThanOrEqual(KILLS * 2 * CONCURRENCY);
      process.stdout.write(`killed after ${answered.join(", ")} answers; ${asked} questions for ${JOBS} answers\n`);
    } finally {
      child?.kill("SIGKILL");
      await store.close();
      await rm(dataDir, { recursive: true });
    }
  },
  60_000 + KILLS * 30_000,
);

/** The process is killed while writing the sums of this many answers. */
const ENDED = chooseExtent(5000, 0);

test.runIf(ENDED > 0)(
  `killed repeatedly while a collect of ${ENDED} answers completes, its sums match its answers, to the credit`,
  async () => {
    await using s = await collectScene({ env: { SERVE: "core" } });
    await s.create(Array.from({ length: ENDED }, (_, index) => `phone ${index}`));
    await runLaunchJob(s, "launch_analysis");
    await runLaunchJob(s, "launch_collect");
    const subjectId = await answerAllBut(s, 0);
    await s.store.write(async (db) => {
      const ids = { organizationId: s.organization.id, workspaceId: s.workspace.id };
      const job = { id: s.deps.newId(), kind: "end_collect" as const, subjectId, at: s.deps.now() };
      await enqueueBackgroundJob({ ...ids, db }, job);
    });
    const { q, t } = openCommitted(s.store);
    const start = () =>
      startKillableService({ DATA_DIR: s.config.DATA_DIR, SERVE: "core,worker", COLLECT_LEASE_SECONDS: "1" });
    const takenBy = async () => {
      const [job] = await q.select().from(t.backgroundJobs).where(eq(t.backgroundJobs.subjectId, subjectId));
      return job?.leaseOwner ?? null;
    };
    let last: string | null = null;
    const written: number[] = [];
    while (written.length < KILLS && !(await readCollectState(s)).ended) {
      const child = start();
      while (!(await readCollectState(s)).ended && [null, last].includes(await takenBy())) await sleep(2);
      last = await takenBy();
      // Some moment: while sums are computed, within a transaction, or between two; a little later
      // each time.
      await sleep(random() * 80 * (written.length + 1));
      child.kill("SIGKILL");
      await once(child, "exit");
      const seen = await readCollectState(s);
      expect(seen).toMatchObject(seen.ended ? { reserved: 0, ledger: 1 } : { status: "running", reserved: ENDED });
      written.push((await q.$count(t.collectLinks)) + (await q.$count(t.collectSums)));
    }
    expect(written.length).toBeGreaterThan(2);
    const child = start();
    while (!(await readCollectState(s)).ended) await sleep(20);
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(await findRollupDifferences(s)).toEqual([]);
    const ended = { status: "completed", spent: ENDED, reserved: 0, ledger: 1, follows: 1, analysis: "live" };
    expect(await readCollectState(s)).toMatchObject(ended);
    process.stdout.write(`killed after ${written.join(", ")} rows of sums\n`);
  },
  60_000 + KILLS * 30_000,
);

/**
 * The process is killed while reading an import of this many lines; import-jobs.test.ts covers it
 * without a process.
 */
const IMPORTED = chooseExtent(8000, 0);

test.runIf(IMPORTED > 0)(
  `killed repeatedly while reading an import of ${IMPORTED} lines, each is stored once and sums match`,
  async () => {
    await using s = await collectScene({ env: { SERVE: "core" } });
    const analysis = await s.create(["best phone for case 0"], { sources: [] });
    const sent = await s.owner.request("POST", `${analysis}/answers/import`, {
      body: [...recordedLines(IMPORTED), "{", "{}", ""].join("\n"),
      headers: { "content-type": "application/x-ndjson" },
    });
    expect(sent.status).toBe(202);
    const { q, t } = openCommitted(s.store);
    const start = () =>
      startKillableService({ DATA_DIR: s.config.DATA_DIR, SERVE: "core,worker", COLLECT_LEASE_SECONDS: "1" });
    const isOver = async () => (await readCollectState(s)).ended;
    const stored: number[] = [];
    while (stored.length < KILLS && !(await isOver())) {
      const before = await q.$count(t.answers);
      const child = start();
      while ((await q.$count(t.answers)) < before + 200 && !(await isOver())) await sleep(2);
      // Some moment: within a transaction, between two, or while lines are read.
      await sleep(random() * 100);
      child.kill("SIGKILL");
      await once(child, "exit");
      stored.push(await q.$count(t.answers));
    }
    expect(stored.length).toBeGreaterThan(2);
    const child = start();
    while (!(await isOver())) await sleep(20);
    child.kill("SIGTERM");
    await once(child, "exit");
    const distinct = sql`count(distinct ${t.answers.questionId} || ' ' || ${t.answers.source} || ' ' || ${t.answers.run})`;
    expect(await q.select({ distinct, all: sql`count(*)` }).from(t.answers)).toEqual([
      { distinct: IMPORTED, all: IMPORTED },
    ]);
    expect((await s.owner.get(`${analysis}/collects/${sent.body.collect_id}/import-report`)).body).toMatchObject({
      status: "completed",
      accepted: IMPORTED,
      rejected_count: 2,
      rejected: [{ line: IMPORTED + 1 }, { line: IMPORTED + 2 }],
    });
    expect(await findRollupDifferences(s)).toEqual([]);
    expect(await readCollectState(s)).toMatchObject({
      status: "completed",
      succeeded: IMPORTED,
      spent: 0,
      analysis: "live",
    });
    process.stdout.write(`killed after ${stored.join(", ")} imported answers\n`);
  },
  60_000 + KILLS * 30_000,
);
