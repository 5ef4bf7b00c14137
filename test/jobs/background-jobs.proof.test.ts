import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { claimBackgroundJob, enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { addMs } from "../../core/shared/time.ts";
import { Requeue, PermanentFailure, type BackgroundJobKind } from "../../src/jobs/background/background.ts";
import { withHandler, jobScene, holdJobs } from "./background-jobs-cases.ts";

test("retries failures; a permanent failure has a reason and is not retried", async () => {
  const attempts: Record<string, number> = {};
  await using s = await withHandler(async (job) => {
    attempts[job.subjectId] = job.attempts;
    if (job.subjectId === "hopeless") throw new PermanentFailure("There is nothing to write about.");
    if (job.attempts < 3) throw new Error("not yet");
  });
  await s.enqueue("shaky");
  await s.enqueue("hopeless");
  expect(await s.until("shaky", "succeeded")).toMatchObject({ failureReason: null });
  expect(await s.until("hopeless", "failed")).toMatchObject({ failureReason: "There is nothing to write about." });
  expect(attempts).toEqual({ shaky: 3, hopeless: 1 });
});

test("a postponed job runs at its instant, not before", async () => {
  const began: number[] = [];
  await using s = await withHandler(async ({ attempts }, { now }) => {
    began.push(Date.now(), attempts);
    if (began.length === 2) throw new Requeue(addMs(now(), 400));
  });
  await s.enqueue("patient");
  await s.until("patient", "succeeded");
  const [first = 0, , second = 0, attempts] = began;
  expect(second - first).toBeGreaterThanOrEqual(400);
  // Giving it back is no attempt that failed.
  expect(attempts).toBe(1);
});

test("a job of a vanished worker runs after its lease expires", async () => {
  await using s = await withHandler(async () => undefined);
  const job = { id: s.w.deps.newId(), kind: "write_brief" as const, subjectId: "lost", at: s.w.deps.now() };
  await s.w.store.write(async (db) => {
    await enqueueBackgroundJob({ db, ...s.tenant }, job);
    const gone = {
      owner: "gone",
      kinds: ["write_brief"] as const,
      laneKinds: ["write_brief"] as const,
      after: "",
      now: job.at,
      leaseEnd: addMs(job.at, 100),
      canTakeSuspects: true,
    };
    await claimBackgroundJob(db, gone);
  });
  expect((await s.find("lost"))?.status).toBe("leased");
  await s.until("lost", "succeeded");
});

test("a job that waits, or is leased, beyond its kind's maximum runs immediately: the clock was ahead", async () => {
  const began: string[] = [];
  await using s = await withHandler(async (job) => void began.push(job.subjectId));
  const at = s.w.deps.now();
  const ahead = addMs(at, 365 * 86_400_000);
  await s.w.store.write(async (db) => {
    const late = { kind: "write_brief", at: ahead } as const;
    for (const subjectId of ["leased", "waits"])
      await enqueueBackgroundJob({ ...s.tenant, db }, { ...late, id: s.w.deps.newId(), subjectId });
    const { q, t } = db;
    await q
      .update(t.backgroundJobs)
      .set({ status: "leased", leaseOwner: "gone" })
      .where(eq(t.backgroundJobs.subjectId, "leased"));
    const soon = { kind: "write_brief", at, notBefore: addMs(at, 30_000) } as const;
    await enqueueBackgroundJob({ ...s.tenant, db }, { ...soon, id: s.w.deps.newId(), subjectId: "soon" });
  });
  await s.until("leased", "succeeded");
  await s.until("waits", "succeeded");
  expect(began.toSorted()).toEqual(["leased", "waits"]);
});

const reread = (subjectId: string) => ({ kind: "reread_answers" as const, subjectId });

test("no organization has a second long job in any process while another one waits", async () => {
  // Fault: two processes re-extracted answers of one organization while another waited for minutes.
  const { began, run, release } = holdJobs();
  const long: BackgroundJobKind = { run, lane: "long", concurrency: 1, maxWaitMs: 60_000 };
  await using s = await jobScene({ reread_answers: long });
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
