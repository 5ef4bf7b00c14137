import { setTimeout as sleep } from "node:timers/promises";
import { count, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Store } from "../../db/engine/store.ts";
import { StoreError } from "../../db/engine/store-error.ts";
import { collectScene } from "../collecting/scene.ts";
import { openCommitted } from "../support/committed.ts";

/** Has the engine ask for every transaction of a store again, once, after all of its work. */
function everyWriteTwice(store: Store): void {
  const write = store.write.bind(store);
  store.write = (work) => {
    let runs = 0;
    return write(async (db) => {
      const result = await work(db);
      if (runs++ === 0) throw new StoreError("busy", { cause: "a test" });
      return result;
    });
  };
}

/** Row counts after calls, a collect and its follow-ups. */
async function repeatAfter(prepare: (store: Store) => void) {
  await using s = await collectScene();
  prepare(s.store);
  const key = { "idempotency-key": "one" };
  const tags = `${s.workspace.path}/tags`;
  const answers = [await s.owner.post(tags, { name: "x" }, key), await s.owner.post(tags, { name: "x" }, key)];
  const analysis = await s.create(["best phone", "cheap phone"]);
  const collect = await s.ended(analysis);
  await idle(s.store);
  const { q, t } = openCommitted(s.store);
  const [analysisRow] = await q
    .select({ outcome: t.auditLog.outcome, credits: t.auditLog.costCredits })
    .from(t.auditLog)
    .where(eq(t.auditLog.endpoint, "createSearchAnalysis"));
  const counted = { tags: t.tags, ledger: t.ledgerEntries, answers: t.answers, jobs: t.jobs, mentions: t.mentions };
  const rows: Record<string, number | undefined> = {};
  for (const [name, table] of Object.entries(counted)) {
    rows[name] = (await q.select({ n: count() }).from(table))[0]?.n;
  }
  const { succeeded, failed } = collect;
  const same = answers[0]?.body.id === answers[1]?.body.id;
  return {
    statuses: answers.map(({ status }) => status),
    same,
    analysisRow,
    succeeded,
    failed,
    rows,
    credits: await s.credits(),
  };
}

/** Waits for all background jobs. */
async function idle(store: Store): Promise<void> {
  const { q, t } = openCommitted(store);
  for (let waited = 0; waited < 20_000; waited += 20) {
    const jobs = await q.select({ status: t.backgroundJobs.status }).from(t.backgroundJobs);
    if (jobs.every(({ status }) => status === "succeeded")) return;
    await sleep(20);
  }
  throw new Error("background jobs did not end in 20 s");
}

test("a transaction rerun by the engine has the effects of one run: calls, credits, answers, audit rows", async () => {
  const twice = await repeatAfter(everyWriteTwice);
  const once = await repeatAfter(() => undefined);
  expect(twice).toEqual(once);
  expect(once).toMatchObject({ statuses: [201, 201], same: true, analysisRow: { outcome: "ok" }, succeeded: 2 });
});
