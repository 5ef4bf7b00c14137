import { and, eq, lt } from "drizzle-orm";
import { expect, test } from "vitest";
import { claimJobs, hasReadyJobs, type JobClaim } from "../../db/jobs/collect-jobs.ts";
import { INITIAL_CURSOR } from "../../db/jobs/pick-jobs.ts";
import { SOURCES } from "../../core/sources/sources.ts";
import { addMs } from "../../core/shared/time.ts";
import { openCommitted } from "../support/committed.ts";
import { collectScene } from "./scene.ts";

interface Planned {
  organizationId: string;
  jobs: number;
  isScheduled?: boolean;
  notBefore?: string;
}

/**
 * A store in which collects of any organization and size are put, and from which jobs are claimed
 * without a worker.
 */
async function claiming() {
  const s = await collectScene({ env: { SERVE: "core" } });
  const analysis = (await s.create(["best phone"])).split("/").at(-1) ?? "";
  const { q, t } = openCommitted(s.store);
  const [question] = await q.select().from(t.questions);
  const [own] = await q.select().from(t.collects);
  const now = s.deps.now();
  await s.store.write(async (db) => {
    await db.q.update(db.t.collects).set({ finishedAt: now });
    await db.q.update(db.t.jobs).set({ status: "succeeded" });
  });
  let number = 1;
  let cursor = INITIAL_CURSOR;

  async function add(planned: readonly Planned[]) {
    if (!own || !question) throw new Error("no collect");
    const collects = planned.map(({ organizationId, jobs, isScheduled = false }) => {
      number += 1;
      const row = { id: s.deps.newId(), organizationId, analysisId: analysis, number, isScheduled, planned: jobs };
      return { ...own, ...row };
    });
    await s.store.write(async (db) => {
      await db.bulkInsert(db.t.collects, collects);
      const jobs = planned.flatMap(({ jobs: size, notBefore = now }, index) =>
        Array.from({ length: size }, (_, run) => ({
          id: s.deps.newId(),
          collectId: collects[index]?.id ?? "",
          questionId: question.id,
          source: SOURCES[run % 3] ?? "SEARCH_A",
          run,
          status: "queued" as const,
          attempts: 0,
          notBefore,
        })),
      );
      await db.bulkInsert(db.t.jobs, jobs);
    });
    return collects;
  }

  return {
    ...s,
    add,
    organizations: async (count: number) => {
      const made: string[] = [];
      for (let index = 0; index < count; index += 1) made.push((await s.insertTenant(`${index}`)).organization.id);
      return made;
    },
    /** Claims as a worker does, going on where the last claim was. */
    async claim(limit: number, more: Partial<JobClaim> = {}) {
      const places = { sources: SOURCES, limit, maxPerCollect: limit, usedPerCollect: new Map<string, number>(), now };
      const claim = { ...places, owner: "we", leaseEnd: addMs(now, 60_000), cursor, ...more };
      const claimed = await s.store.write((db) => claimJobs(db, claim));
      cursor = claimed.cursor;
      return claimed.jobs;
    },
    requeue: (id: string) =>
      s.store.write(async (db) => {
        await db.q
          .update(db.t.jobs)
          .set({ status: "queued", leaseOwner: null, notBefore: now })
          .where(eq(db.t.jobs.id, id));
      }),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

test("claims a collect of two questions immediately next to one of thousands, in any organization", async () => {
  // Fault: jobs were claimed in storage order, so that a short collect waited for a long one.
  await using s = await claiming();
  const [big = "", small = ""] = await s.organizations(2);
  const [long] = await s.add([{ organizationId: big, jobs: 3000 }]);
  expect(await s.claim(16)).toHaveLength(16);
  const [theirs, ours] = await s.add([
    { organizationId: small, jobs: 2 },
    { organizationId: big, jobs: 2 },
  ]);
  const claimed = (await s.claim(8)).map(({ collectId }) => collectId);
  for (const short of [theirs, ours]) expect(claimed.filter((id) => id === short?.id)).toHaveLength(2);
  expect(claimed.filter((id) => id === long?.id)).toHaveLength(4);
});

test("reserves one of four slots for tasks of paused analyses while others wait, and claims nothing else of them", async () => {
  await using s = await claiming();
  const [one = ""] = await s.organizations(1);
  const [paused] = await s.add([
    { organizationId: one, jobs: 9 },
    { organizationId: one, jobs: 12 },
  ]);
  const pausedId = paused?.id ?? "";
  const submission = { provider: "vendor", key: "key", begunAt: s.deps.now(), task: "task", costUsd: 0 };
  await s.store.write(async ({ q, t }) => {
    await q.update(t.collects).set({ isHeld: true }).where(eq(t.collects.id, pausedId));
    const first = and(eq(t.jobs.collectId, pausedId), lt(t.jobs.run, 6));
    await q.update(t.jobs).set({ status: "submitted", submission }).where(first);
  });
  const claimed: boolean[] = [];
  for (let place = 0; place < 16; place++) {
    claimed.push(...(await s.claim(1)).map(({ collectId }) => collectId === pausedId));
  }
  expect(claimed).toEqual([0, 1, 2, 3].flatMap(() => [false, false, false, true]));
  // Without other jobs they get all slots; unsubmitted questions wait for the pause to end.
  expect((await s.claim(8)).map(({ collectId }) => collectId)).toEqual([pausedId, pausedId]);
  expect(await s.store.read((db) => hasReadyJobs(db, s.deps.now()))).toBe(false);
});

test("questions of one collect leave slots for a new one", async () => {
  await using s = await claiming();
  const [big = ""] = await s.organizations(1);
  const [long] = await s.add([{ organizationId: big, jobs: 100 }]);
  expect(await s.claim(16, { maxPerCollect: 12 })).toHaveLength(12);
  const usedPerCollect = new Map([[long?.id ?? "", 12]]);
  expect(await s.claim(4, { maxPerCollect: 12, usedPerCollect })).toHaveLength(0);
  await s.add([{ organizationId: big, jobs: 2 }]);
  expect(await s.claim(4, { maxPerCollect: 12, usedPerCollect })).toHaveLength(2);
});

test("blocked collects, however many, hide no ready one", async () => {
  await using s = await claiming();
  const [stuck = "", other = ""] = await s.organizations(2);
  const notBefore = addMs(s.deps.now(), 600_000);
  await s.add(Array.from({ length: 450 }, () => ({ organizationId: stuck, jobs: 1, notBefore })));
  const added = await s.add([
    { organizationId: other, jobs: 1 },
    { organizationId: stuck, jobs: 1 },
  ]);
  const claimed: string[] = [];
  for (let claims = 0; claims < 8; claims += 1) claimed.push(...(await s.claim(4)).map(({ collectId }) => collectId));
  expect(claimed.toSorted()).toEqual(added.map(({ id }) => id).toSorted());
});

test("any number and size of organizations and collects: each is claimed within a bound, and each job once", async () => {
  for (const seed of [1, 2]) await playClaims(seed);
});

/** Claims everything of a random store, and checks the wait of each organization and collect. */
async function playClaims(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  await using s = await claiming();
  const organizationIds = await s.organizations(upTo(8));
  const plan = (): Planned => ({
    organizationId: organizationIds[upTo(organizationIds.length) - 1] ?? "",
    jobs: random() < 0.2 ? upTo(200) : upTo(6),
    isScheduled: random() < 0.4,
  });
  const collects = new Map<string, { left: number; waits: number; organizationId: string; isScheduled: boolean }>();
  const add = async (count: number) => {
    const plans = Array.from({ length: count }, plan);
    // New collects get their turn, too, so waits are counted from the last arrival.
    for (const collect of collects.values()) collect.waits = 0;
    for (const [index, { id, organizationId, isScheduled }] of (await s.add(plans)).entries()) {
      collects.set(id, { left: plans[index]?.jobs ?? 0, waits: 0, organizationId, isScheduled });
    }
  };
  await add(upTo(20));
  const taken = new Set<string>();
  for (let claims = 0; [...collects.values()].some(({ left }) => left > 0); claims += 1) {
    if (claims < 20 && random() < 0.2) await add(upTo(4));
    const open = [...collects.values()].filter(({ left }) => left > 0);
    const jobs = await s.claim(upTo(12));
    expect(jobs.length).toBeGreaterThan(0);
    const had = new Set<string>();
    for (const { id, collectId } of jobs) {
      expect(taken.has(id)).toBe(false);
      const collect = collects.get(collectId);
      if (!collect) throw new Error("a collect that was never added");
      had.add(collectId);
      if (random() < 0.1) {
        await s.requeue(id);
        continue;
      }
      taken.add(id);
      collect.left -= 1;
    }
    for (const collect of open) collect.waits += jobs.length / maxWait(collect, open);
    for (const id of had) Object.assign(collects.get(id) ?? {}, { waits: 0 });
    for (const { waits } of open) expect(waits, `seed ${seed}`).toBeLessThanOrEqual(1);
  }
  const { q, t } = openCommitted(s.store);
  expect(await q.$count(t.jobs, eq(t.jobs.status, "queued"))).toBe(0);
}

/**
 * Max slots until a collect is claimed: one per collect of all organizations, four times that for
 * scheduled ones.
 */
function maxWait(
  collect: { organizationId: string; isScheduled: boolean },
  open: readonly { organizationId: string; isScheduled: boolean }[],
): number {
  const lane = open.filter(({ isScheduled }) => isScheduled === collect.isScheduled);
  const organizations = new Set(lane.map(({ organizationId }) => organizationId)).size;
  const siblings = lane.filter(({ organizationId }) => organizationId === collect.organizationId).length;
  // Plus the slots of the claims that contain its last and next job.
  return (collect.isScheduled ? 4 : 4 / 3) * organizations * siblings + 24;
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
