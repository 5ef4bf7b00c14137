import { sql } from "drizzle-orm";
import { pino } from "pino";
import { expect, test } from "vitest";
import { compileCatalog } from "../../core/reading/catalog.ts";
import { listTrackedBrands } from "../../db/catalog/brands.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { replaceReadings } from "../../db/answers/readings.ts";
import { completeCollectJob } from "../../src/jobs/collect/complete-collect-job.ts";
import type { BackgroundJob, BackgroundWork } from "../../src/jobs/background/background.ts";
import { answerAllBut, findRollupDifferences, readCollectState } from "./collect-end.ts";
import { startAssistant } from "./provider.ts";
import { collectScene } from "./scene.ts";

const keywords = (count: number) => Array.from({ length: count }, (_, index) => `phone ${index}`);

/** Rows that the connection of `db` has changed so far. */
async function changedRows({ q, t }: Db): Promise<number> {
  const [row] = await q
    .select({ rows: sql<number>`total_changes()` })
    .from(t.collects)
    .limit(1);
  return row?.rows ?? 0;
}

/** A collect with all questions answered, and its pending completion job. */
async function ending(questions: number) {
  const s = await collectScene({ env: { SERVE: "core" } });
  await s.create(keywords(questions));
  const collectId = await answerAllBut(s, 0);
  const { store, deps } = s;
  const ids = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  const work = { ...deps, log: pino({ level: "silent" }), signal: new AbortController().signal };
  const job = { kind: "end_collect", subjectId: collectId, ...ids } as BackgroundJob;
  return {
    ...s,
    collectId,
    /** Ends it on this view of the store. */
    end: (over: Partial<Store> = {}) =>
      completeCollectJob(job, { ...work, store: { ...store, ...over } } as unknown as BackgroundWork),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

test("fault: the end of a collect writes all its sums while every other write waits; no transaction has more than some hundred rows", async () => {
  await using provider = await startAssistant();
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(keywords(400));
  await answerAllBut(s, 1);
  const rows: number[] = [];
  const seen = new Set<string>();
  const counted = (store: Store): Store => ({
    ...store,
    async write(work, ...how) {
      const value = await store.write(
        async (db) => {
          const before = await changedRows(db);
          const result = await work(db);
          rows.push((await changedRows(db)) - before);
          return result;
        },
        ...how,
      );
      seen.add(JSON.stringify(await readCollectState(s)));
      return value;
    },
  });
  await using _worker = await s.otherWorker(5000, counted);
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", succeeded: 400, cost: { spent_credits: 400 } });
  expect(await findRollupDifferences(s)).toEqual([]);
  expect(Math.max(...rows)).toBeLessThanOrEqual(260);
  // Status, credits, analysis and follow-ups change together.
  expect([...seen].filter((state) => !state.includes('"ended":true'))).toHaveLength(seen.size - 1);
  const early = [
    '"reserved":400',
    '"sources":[]',
    '"methods":[]',
    '"analysis":"collecting"',
    '"ledger":0',
    '"follows":0',
  ];
  for (const part of early) expect([...seen].filter((state) => !state.includes(part))).toHaveLength(1);
  expect(await readCollectState(s)).toMatchObject({
    ended: true,
    reserved: 0,
    ledger: 1,
    analysis: "live",
    follows: 1,
  });
});

test("fault: the process dies around any commit of a collect's completion; a repetition gives the normal result", async () => {
  await using s = await ending(40);
  for (let cut = 0; ; cut++) {
    let writes = 0;
    const dying: Store["write"] = async (work) => {
      const isLast = writes++ === Math.floor(cut / 2);
      if (isLast && cut % 2 === 0) throw new Error("died before the commit");
      const value = await s.store.write(work);
      if (isLast) throw new Error("died after the commit");
      return value;
    };
    const died = await s.end({ write: dying }).then(
      () => false,
      () => true,
    );
    if (!died) break;
    const { ended } = await readCollectState(s);
    expect(await readCollectState(s)).toMatchObject(
      ended ? { reserved: 0, ledger: 1 } : { status: "running", reserved: 40 },
    );
  }
  await s.end();
  expect(await findRollupDifferences(s)).toEqual([]);
  expect(await readCollectState(s)).toMatchObject({
    status: "completed",
    spent: 40,
    reserved: 0,
    ledger: 1,
    follows: 1,
  });
});

test("fault: answers are re-extracted and a brand archived while sums are computed; the sums match the last reading", async () => {
  await using s = await ending(20);
  const { body: extra } = await s.owner.post(`${s.workspace.path}/brands`, { name: "Extra", domains: ["extra.test"] });
  const reread = (brandIds: string[]) =>
    s.store.write(async (db) => {
      const [answer] = await db.q.select().from(db.t.answers).limit(1);
      if (!answer) throw new Error("there is no answer");
      const catalog = compileCatalog(await listTrackedBrands({ db, ...answer }));
      const brandRanks = brandIds.map((id) => ({ brand_id: id, rank: 1, brand_rank: 1, mentions: 1, url: null }));
      const links = { citations: [], retrieved: [], queries: [] };
      const reading = { version: 1, isShown: true, isInformative: true, mentions: [], brandRanks, ...links };
      await replaceReadings(db, s.collectId, [{ answerKey: answer.key, reading, catalog }]);
    });
  const meanwhile = [() => reread([extra.id]), () => s.owner.delete(`${s.workspace.path}/brands/${extra.id}`)];
  await s.end({
    async read(work) {
      const value = await s.store.read(work);
      // After reading answers, which returns nothing.
      if (value === undefined) await meanwhile.shift()?.();
      return value;
    },
  });
  expect(meanwhile).toEqual([]);
  expect(await findRollupDifferences(s)).toEqual([]);
  expect(await readCollectState(s)).toMatchObject({ status: "completed", ledger: 1 });
});

test("completing a completed collect changes nothing", async () => {
  await using s = await ending(3);
  await s.end();
  const before = await readCollectState(s);
  await s.end();
  expect(await readCollectState(s)).toEqual(before);
});
