import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import {
  claimBackgroundJob,
  endBackgroundJob,
  enqueueBackgroundJob,
  findBackgroundJob,
  noteProgress,
} from "../db/engine/background-jobs.ts";
import { openStore } from "../db/engine/open-store.ts";
import { openDiskBlobs } from "../src/assets/disk-blobs.ts";
import type { BackgroundKind } from "../core/background.ts";
import { later } from "../core/time.ts";
import {
  GiveBack,
  GiveUp,
  startBackground,
  type BackgroundHandler,
  type BackgroundJobKind,
} from "../src/jobs/background/background.ts";
import { world } from "./world.ts";
import { committed } from "./committed.ts";

interface Asked {
  subjectId: string;
  kind?: BackgroundKind;
  organizationId?: string;
  workspaceId?: string;
}
type Kinds = Parameters<typeof startBackground>[0]["kinds"];

/** A world whose background jobs are done by `run`. */
const doing = (run: BackgroundHandler) => working({ write_brief: { run, lane: "short", longestWaitMs: 60_000 } });

/** A world whose background jobs are of these kinds. */
async function working(kinds: Kinds) {
  const w = await world();
  const { organization, workspace } = await w.acme();
  const { now, newId, secrets } = w.deps;
  const options = {
    store: w.store,
    log: pino({ level: "silent" }),
    now,
    newId,
    secrets,
    outside: w.deps.outside,
    catalogs: w.deps.catalogs,
    blobs: openDiskBlobs(join(w.config.DATA_DIR, "assets")),
    syncMs: 1000,
    finishOutboxEntry: () => Promise.resolve(),
  };
  const start = () => startBackground({ ...options, kinds, leaseMs: 500, drainMs: 50, backoffBaseMs: 1 });
  let runner = start();
  const ids = { organizationId: organization.id, workspaceId: workspace.id };
  const find = (subjectId: string) => findBackgroundJob({ db: committed(w.store), ...ids }, "write_brief", subjectId);
  return {
    w,
    find,
    tenant: ids,
    /** A further one on a store of its own, as in another process. */
    async another() {
      const store = await openStore(w.config.DATA_DIR);
      const other = startBackground({ ...options, store, kinds, leaseMs: 500, drainMs: 50, backoffBaseMs: 1 });
      return {
        async [Symbol.asyncDispose]() {
          await other.close();
          await store.close();
        },
      };
    },
    async restart() {
      await runner.close();
      runner = start();
    },
    /** Asks for these in one transaction: jobs of the kind write_brief, unless they say otherwise. */
    async enqueue(...jobs: (string | Asked)[]) {
      const at = w.deps.now();
      await w.store.write(async (db) => {
        for (const asked of jobs) {
          const { organizationId, workspaceId, kind, subjectId } = {
            ...ids,
            kind: "write_brief" as const,
            ...(typeof asked === "string" ? { subjectId: asked } : asked),
          };
          const tenant = { db, organizationId, workspaceId };
          await enqueueBackgroundJob(tenant, { id: w.deps.newId(), kind, subjectId, at });
        }
      });
      runner.wake();
    },
    async until(subjectId: string, status: string) {
      for (let waited = 0; waited < 5000; waited += 10) {
        const job = await find(subjectId);
        if (job?.status === status) return job;
        await sleep(10);
      }
      throw new Error(`the job is ${(await find(subjectId))?.status}, not ${status}`);
    },
    async [Symbol.asyncDispose]() {
      await runner.close();
      await w[Symbol.asyncDispose]();
    },
  };
}

test("work that was asked for twice before it began is done once, and what comes while it is done is done after it", async () => {
  const began: string[] = [];
  const held = new EventEmitter();
  await using s = await doing(async (job) => {
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

test("what fails is tried again; what gives up says why and is not", async () => {
  const attempts: Record<string, number> = {};
  await using s = await doing(async (job) => {
    attempts[job.subjectId] = job.attempts;
    if (job.subjectId === "hopeless") throw new GiveUp("There is nothing to write about.");
    if (job.attempts < 3) throw new Error("not yet");
  });
  await s.enqueue("shaky");
  await s.enqueue("hopeless");
  expect(await s.until("shaky", "succeeded")).toMatchObject({ failureReason: null });
  expect(await s.until("hopeless", "failed")).toMatchObject({ failureReason: "There is nothing to write about." });
  expect(attempts).toEqual({ shaky: 3, hopeless: 1 });
});

test("a job that is given back until an instant is taken up then, and not before", async () => {
  const began: number[] = [];
  await using s = await doing(async ({ attempts }, { now }) => {
    began.push(Date.now(), attempts);
    if (began.length === 2) throw new GiveBack(later(now(), 400));
  });
  await s.enqueue("patient");
  await s.until("patient", "succeeded");
  const [first = 0, , second = 0, attempts] = began;
  expect(second - first).toBeGreaterThanOrEqual(400);
  // Giving it back is no attempt that failed.
  expect(attempts).toBe(1);
});

test("a job that a stopped process was doing goes on from its progress in the next one", async () => {
  const seen: unknown[] = [];
  await using s = await doing(async (job, { store, signal }) => {
    seen.push(job.progress);
    if (job.progress) return;
    await store.write((db) => noteProgress(db, job.id, { done: 7 }));
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopping"))));
  });
  await s.enqueue("long");
  await s.until("long", "leased");
  await sleep(20);
  await s.restart();
  expect(await s.until("long", "succeeded")).toMatchObject({ progress: { done: 7 } });
  expect(seen).toEqual([null, { done: 7 }]);
});

test("a job whose worker is gone is taken up when its lease ends", async () => {
  await using s = await doing(async () => undefined);
  const job = { id: s.w.deps.newId(), kind: "write_brief" as const, subjectId: "lost", at: s.w.deps.now() };
  await s.w.store.write(async (db) => {
    await enqueueBackgroundJob({ db, ...s.tenant }, job);
    const gone = {
      owner: "gone",
      kinds: ["write_brief"] as const,
      laneKinds: ["write_brief"] as const,
      after: "",
      now: job.at,
      leaseEnd: later(job.at, 100),
      takesSuspects: true,
    };
    await claimBackgroundJob(db, gone);
  });
  expect((await s.find("lost"))?.status).toBe("leased");
  await s.until("lost", "succeeded");
});

test("a job that waits, or is leased, for longer than one of its kind can is done at once: the clock was ahead", async () => {
  const began: string[] = [];
  await using s = await doing(async (job) => void began.push(job.subjectId));
  const at = s.w.deps.now();
  const ahead = later(at, 365 * 86_400_000);
  await s.w.store.write(async (db) => {
    const late = { kind: "write_brief", at: ahead } as const;
    for (const subjectId of ["leased", "waits"])
      await enqueueBackgroundJob({ ...s.tenant, db }, { ...late, id: s.w.deps.newId(), subjectId });
    const { q, t } = db;
    await q
      .update(t.backgroundJobs)
      .set({ status: "leased", leaseOwner: "gone" })
      .where(eq(t.backgroundJobs.subjectId, "leased"));
    const soon = { kind: "write_brief", at, notBefore: later(at, 30_000) } as const;
    await enqueueBackgroundJob({ ...s.tenant, db }, { ...soon, id: s.w.deps.newId(), subjectId: "soon" });
  });
  await s.until("leased", "succeeded");
  await s.until("waits", "succeeded");
  expect(began.toSorted()).toEqual(["leased", "waits"]);
});

test("the newest job is the one that is not done, whatever the clock said when the others were asked for", async () => {
  // Fault: ids follow the clock, so a job that was done while it was ahead hid for a year what came after.
  await using s = await doing(async () => undefined);
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
      notBefore: later(at, 30_000),
    } as const;
    await enqueueBackgroundJob({ ...s.tenant, db }, asked);
  });
  expect((await s.find("a"))?.status).toBe("queued");
});

/** What began, in that order; each job goes on until it is released. */
function holding() {
  const began: string[] = [];
  const held = new EventEmitter();
  const run: BackgroundHandler = async (job) => {
    began.push(job.subjectId);
    await once(held, job.subjectId);
  };
  return { began, run, release: (subjectId: string) => held.emit(subjectId) };
}

test("a short job and a file begin at once, however many long jobs are under way, and long ones beside any number of those", async () => {
  // Fault: all kinds shared two places, so that an answer of the partner waited until a second reading had ended.
  const { began, run, release } = holding();
  const kind = (lane: BackgroundJobKind["lane"]) => ({ run, lane, longestWaitMs: 60_000 });
  await using s = await working({
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

test("organizations take turns in each lane, and none has a second job in it while another one waits", async () => {
  // Fault: four large files of one customer were read in a row while a page of another one waited.
  const { began, run, release } = holding();
  await using s = await working({ extract_asset: { run, lane: "file", longestWaitMs: 60_000 } });
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

const reread = (subjectId: string) => ({ kind: "reread_answers" as const, subjectId });

test("none has a second long job in any process while another one waits", async () => {
  // Fault: each of two processes reads the answers of one organization again, and another one waits for minutes.
  const { began, run, release } = holding();
  const long: BackgroundJobKind = { run, lane: "long", concurrency: 1, longestWaitMs: 60_000 };
  await using s = await working({ reread_answers: long });
  await using _other = await s.another();
  const rival = await s.w.insertTenant("Rival");
  const theirs = { organizationId: rival.organization.id, workspaceId: rival.workspace.id };
  await s.enqueue(...["ours 1", "ours 2", "ours 3"].map(reread), { ...reread("theirs"), ...theirs });
  await vi.waitFor(() => expect(began).toHaveLength(2), 5000);
  expect(began).toContain("theirs");
  for (const subjectId of ["theirs", "ours 1", "ours 2", "ours 3"]) {
    await vi.waitFor(() => expect(began).toContain(subjectId), 5000);
    release(subjectId);
  }
});

test("a kind never has more jobs under way than its lane allows, and leaves the rest of the room to others", async () => {
  const began: string[] = [];
  const held = new EventEmitter();
  const run: BackgroundHandler = async (job) => {
    began.push(job.subjectId);
    await once(held, "release");
  };
  const narrow = { run, lane: "short" as const, concurrency: 1, longestWaitMs: 60_000 };
  await using s = await working({ write_brief: narrow, reread_answers: { ...narrow, lane: "long" as const } });
  await s.enqueue("a", "b", { kind: "reread_answers", subjectId: "long" });
  await vi.waitFor(() => expect(began).toEqual(["a", "long"]), 5000);
  await sleep(50);
  expect(began).toEqual(["a", "long"]);
  held.emit("release");
  await vi.waitFor(() => expect(began).toEqual(["a", "long", "b"]), 5000);
  held.emit("release");
});

test("of organizations with any number of jobs none waits longer for its turn than the others need for one each", async () => {
  await using s = await working({});
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
      leaseEnd: later(now, 60_000),
      takesSuspects: true,
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
        attempted: true,
        clearsFailures: true,
      } as const;
      await s.w.store.write((db) => endBackgroundJob(db, ended, end, now));
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
