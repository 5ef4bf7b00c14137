import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import {
  claimBackgroundJob,
  finishBackgroundJob,
  enqueueBackgroundJob,
  storeJobProgress,
} from "../../db/jobs/background-jobs.ts";
import type { BackgroundKind } from "../../core/jobs/background.ts";
import { addMs } from "../../core/shared/time.ts";
import { type BackgroundHandler, type BackgroundJobKind } from "../../src/jobs/background/background.ts";
import { withHandler, jobScene, holdJobs } from "./background-jobs-cases.ts";

test("work requested twice before it starts runs once, and requests during it run afterwards", async () => {
  const began: string[] = [];
  const held = new EventEmitter();
  await using s = await withHandler(async (job) => {
    began.push(job.subjectId);
    if (began.length === 1) await once(held, "release");
  });
  await s.enqueue("a");
  await s.until("a", "leased");
  await s.enqueue("a");
  await s.enqueue("a");
  await sleep(50);
  expect(began).toEqual(["a"]);
  held.emit("release");
  await s.until("a", "succeeded");
  expect(began).toEqual(["a", "a"]);
});

test("a job of a stopped process continues from its progress in the next one", async () => {
  const seen: unknown[] = [];
  await using s = await withHandler(async (job, { store, signal }) => {
    seen.push(job.progress);
    if (job.progress) return;
    await store.write((db) => storeJobProgress(db, job.id, { done: 7 }));
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopping"))));
  });
  await s.enqueue("long");
  await s.until("long", "leased");
  await sleep(20);
  await s.restart();
  expect(await s.until("long", "succeeded")).toMatchObject({ progress: { done: 7 } });
  expect(seen).toEqual([null, { done: 7 }]);
});

test("the newest job is the unfinished one, whatever the clock showed before", async () => {
  // Fault: ids follow the clock, so a job done while it was ahead hid later ones for a year.
  await using s = await withHandler(async () => undefined);
  await s.enqueue("a");
  await s.until("a", "succeeded");
  await s.w.store.write(async (db) => {
    await db.q.update(db.t.backgroundJobs).set({ id: "ffffffff-ffff-7fff-bfff-ffffffffffff" });
    const at = s.w.deps.now();
    const asked = {
      id: s.w.deps.newId(),
      kind: "write_brief",
      subjectId: "a",
      at,
      notBefore: addMs(at, 30_000),
    } as const;
    await enqueueBackgroundJob({ ...s.tenant, db }, asked);
  });
  expect((await s.find("a"))?.status).toBe("queued");
});

test("short jobs and files start immediately next to any number of long jobs, and vice versa", async () => {
  // Fault: all kinds shared two slots, so that a partner's answer waited for a re-extraction.
  const { began, run, release } = holdJobs();
  const kind = (lane: BackgroundJobKind["lane"]) => ({ run, lane, maxWaitMs: 60_000 });
  await using s = await jobScene({
    write_brief: kind("short"),
    extract_asset: kind("file"),
    evaluate_assets: kind("long"),
    suggest_brands: kind("long"),
  });
  await s.enqueue(
    ...["a", "b", "c"].map((subjectId) => ({ kind: "evaluate_assets" as const, subjectId: `long ${subjectId}` })),
  );
  await vi.waitFor(() => expect(began).toHaveLength(2), 5000);
  await s.enqueue({ kind: "extract_asset", subjectId: "file" }, "short");
  await vi.waitFor(() => expect(began.toSorted()).toEqual(["file", "long a", "long b", "short"]), 5000);
  release("long a");
  await vi.waitFor(() => expect(began).toContain("long c"), 5000);
  for (const subjectId of began) release(subjectId);
});

const file = (subjectId: string) => ({ kind: "extract_asset" as const, subjectId });

test("each lane is round-robin over organizations, without a second job while another one waits", async () => {
  // Fault: four large files of one customer were parsed in a row while another's page waited.
  const { began, run, release } = holdJobs();
  await using s = await jobScene({ extract_asset: { run, lane: "file", maxWaitMs: 60_000 } });
  const rival = await s.w.insertTenant("Rival");
  const theirs = { organizationId: rival.organization.id, workspaceId: rival.workspace.id };
  await s.enqueue(...["ours 1", "ours 2", "ours 3", "ours 4"].map(file));
  await vi.waitFor(() => expect(began).toEqual(["ours 1", "ours 2"]), 5000);
  await s.enqueue(...["theirs 1", "theirs 2"].map((subjectId) => ({ ...file(subjectId), ...theirs })));
  for (const subjectId of ["ours 1", "ours 2", "theirs 1", "ours 3", "theirs 2", "ours 4"]) {
    await vi.waitFor(() => expect(began).toContain(subjectId), 5000);
    release(subjectId);
    await sleep(20);
  }
  expect(began).toEqual(["ours 1", "ours 2", "theirs 1", "ours 3", "theirs 2", "ours 4"]);
});

test("a kind stays within its lane's slots, and leaves the rest to others", async () => {
  const began: string[] = [];
  const held = new EventEmitter();
  const run: BackgroundHandler = async (job) => {
    began.push(job.subjectId);
    await once(held, "release");
  };
  const narrow = { run, lane: "short" as const, concurrency: 1, maxWaitMs: 60_000 };
  await using s = await jobScene({ write_brief: narrow, reread_answers: { ...narrow, lane: "long" as const } });
  await s.enqueue("a", "b", { kind: "reread_answers", subjectId: "long" });
  await vi.waitFor(() => expect(began).toEqual(["a", "long"]), 5000);
  await sleep(50);
  expect(began).toEqual(["a", "long"]);
  held.emit("release");
  await vi.waitFor(() => expect(began).toEqual(["a", "long", "b"]), 5000);
  held.emit("release");
});

test("with any number of jobs, an organization waits at most for one job of each other", async () => {
  await using s = await jobScene({});
  const kinds = ["extract_asset", "evaluate_assets"] as const;
  const random = randomFrom(7);
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  const organizationIds = [s.tenant.organizationId];
  for (const name of ["B", "C", "D", "E"]) organizationIds.push((await s.w.insertTenant(name)).organization.id);
  const waiting = new Map<string, { jobs: number; waits: number }>();
  for (const organizationId of organizationIds) {
    const jobs = upTo(12);
    waiting.set(organizationId, { jobs, waits: 0 });
    const kind = kinds[upTo(2) - 1] ?? "extract_asset";
    const asked = Array.from({ length: jobs }, (_, index) => ({ kind, subjectId: `${organizationId} ${index}` }));
    await s.enqueue(...asked.map((job) => ({ ...job, organizationId })));
  }
  const open: { id: string; owner: string; kind: BackgroundKind; subjectId: string }[] = [];
  const done: string[] = [];
  let after = "";
  while ([...waiting.values()].some(({ jobs }) => jobs > 0)) {
    const now = s.w.deps.now();
    const claim = {
      owner: "we",
      kinds,
      laneKinds: kinds,
      after,
      now,
      leaseEnd: addMs(now, 60_000),
      canTakeSuspects: true,
    };
    const job = await s.w.store.write((db) => claimBackgroundJob(db, claim));
    if (!job) throw new Error("a job waits and none was taken");
    after = job.organizationId;
    open.push({ ...job, owner: "we" });
    for (const [organizationId, state] of waiting) {
      const isTheirs = organizationId === job.organizationId;
      state.jobs -= isTheirs ? 1 : 0;
      state.waits = isTheirs || state.jobs === 0 ? 0 : state.waits + 1;
      expect(state.waits).toBeLessThan(organizationIds.length + 2);
    }
    while (open.length > upTo(3)) {
      const [ended] = open.splice(upTo(open.length) - 1, 1);
      if (!ended) break;
      done.push(ended.subjectId);
      const end = {
        status: "succeeded",
        notBefore: now,
        reason: null,
        countsAsAttempt: true,
        clearsFailures: true,
      } as const;
      await s.w.store.write((db) => finishBackgroundJob(db, ended, end, now));
    }
  }
  expect(new Set(done).size).toBe(done.length);
});

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
