import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { computeClaimSums } from "../../db/metrics/claim-sums.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import type { BackgroundJob, BackgroundWork } from "../../src/jobs/background/background.ts";
import { readClaims } from "../../src/jobs/rereading/read-claims.ts";
import { claimScene, claimCounts, WEIGHT } from "../claims/scene.ts";

type Scene = Awaited<ReturnType<typeof claimScene>>;

/**
 * Checks a scene's answers against facts like its worker, calling `before` before each transaction.
 */
async function read(s: Scene, before: (nth: number) => Promise<void>): Promise<number> {
  let writes = 0;
  const write: Store["write"] = async (change) => {
    await before((writes += 1));
    return s.store.write(change);
  };
  const signal = new AbortController().signal;
  const job = { organizationId: s.organization.id, workspaceId: s.workspace.id, subjectId: s.workspace.id };
  const { now, newId } = s.deps;
  const work = { store: { ...s.store, write }, signal, now, newId };
  await readClaims(job as BackgroundJob, work as unknown as BackgroundWork);
  return writes;
}

/** A scene without pending claim jobs. */
async function idleScene() {
  const s = await claimScene([WEIGHT]);
  while ((await s.store.read(countOpen)) > 0) await sleep(10);
  return s;
}

async function countOpen({ q, t: { backgroundJobs: jobs } }: Db): Promise<number> {
  return q.$count(jobs, and(eq(jobs.kind, "read_claims"), inArray(jobs.status, ["queued", "leased"])));
}

/** Declares another weight as a change of the fact does, and asks for no reading. */
async function weigh(s: Scene, number: number, revision: number): Promise<void> {
  await s.store.write(async ({ q, t }) => {
    await q.update(t.brandFacts).set({ value: { kind: "number", number, unit: "g" }, revision });
  });
}

/** Stored claims, and differences from answers and facts. */
async function stored(s: Scene) {
  const { collect, claims } = await s.store.read(async ({ q, t }) => {
    const [first] = await q.select({ id: t.collects.id, analysisId: t.collects.analysisId }).from(t.collects);
    return { collect: first, claims: await q.select().from(t.claims) };
  });
  if (!collect) throw new Error("no collect");
  return {
    verdicts: claims.map(({ revision, verdict }) => [revision, verdict]),
    changes: await computeClaimSums((work) => s.store.read(work), collect),
  };
}

const four = (revision: number, verdict: string) => Array.from({ length: 4 }, () => [revision, verdict]);

test("interrupted between transactions, it repeats to equal rows and sums, and a second run does nothing", async () => {
  await using s = await idleScene();
  await weigh(s, 300, 2);
  const stopped = read(s, (nth) => (nth === 2 ? Promise.reject(new Error("stopped")) : Promise.resolve()));
  await expect(stopped).rejects.toThrow("stopped");
  expect((await stored(s)).verdicts).toEqual(four(2, "agreed"));
  // Claims that the sums do not count yet are shown nowhere.
  expect(await s.claims()).toMatchObject({ data: [], unread: 1 });
  expect(await read(s, async () => {})).toBe(1);
  expect(await stored(s)).toEqual({ verdicts: four(2, "agreed"), changes: [] });
  expect((await s.claims()).data.map(claimCounts)).toEqual([["weight", 32, 4, 0, 28]]);
  expect(await read(s, async () => {})).toBe(0);
});

test("answers are checked against a fact as changed during the job", async () => {
  await using s = await idleScene();
  await weigh(s, 300, 2);
  const changes = (nth: number) => (nth === 2 ? weigh(s, 250, 3) : Promise.resolve());
  expect(await read(s, changes)).toBe(4);
  expect(await stored(s)).toEqual({ verdicts: four(3, "contradicted"), changes: [] });
});
