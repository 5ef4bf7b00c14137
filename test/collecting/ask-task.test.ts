import { desc, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Submission } from "../../core/sources/submission.ts";
import { addMs } from "../../core/shared/time.ts";
import { countUnreadBodies, storeUnreadBody, listUnreadBodies } from "../../db/answers/unread-bodies.ts";
import { stepTask } from "../../src/jobs/collect/ask-task.ts";
import { openCommitted } from "../support/committed.ts";
import { QUESTION } from "../providers/ask-provider.ts";
import { collectScene } from "./scene.ts";
import { ANSWER_USD, SUBMISSION_USD, startVendor, vendorSources } from "./vendor.ts";

const NOW = "2026-11-23T08:00:00.000Z";

type Vendor = Awaited<ReturnType<typeof startVendor>>;
type AfterUnknown = Parameters<typeof vendorSources>[1];

/** A collect of these keywords with a vendor, run by an in-process worker. */
async function askScene(keywords: string[], vendor: Vendor, afterUnknown: AfterUnknown = "same_key") {
  const s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(keywords);
  const { q, t } = openCommitted(s.store);
  return {
    ...s,
    analysis,
    /** Runs a worker until the collect completes. */
    async run(variables: Record<string, string> = {}) {
      await using _worker = await s.otherWorker(5000, undefined, vendorSources(vendor.url, afterUnknown, variables));
      return await s.ended(analysis);
    },
    submissions: () => q.select({ submission: t.jobs.submission, attempts: t.jobs.attempts }).from(t.jobs),
    /** Has it that a process was killed after it had begun to submit the task of every job. */
    async killedWhileSubmitting(key: string) {
      const submission: Submission = { provider: "vendor", key, begunAt: s.deps.now(), task: null, costUsd: 0 };
      await s.store.write(async (db) => void (await db.q.update(db.t.jobs).set({ submission, status: "submitted" })));
    },
    spent: () => q.select().from(t.providerSpend),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

test("submits a task once and polls until done; both costs are in the ledger and the answer", async () => {
  await using vendor = await startVendor({ polled: (_, nth) => (nth < 4 ? "pending" : "done") });
  await using s = await askScene(["phone"], vendor);
  expect(await s.run()).toMatchObject({ status: "completed", succeeded: 1 });
  expect(vendor.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /tasks",
    ...Array.from({ length: 4 }, () => "GET /tasks/task-1"),
  ]);
  expect(await s.answers()).toMatchObject([
    { text: "Acme for phone", collectionMethod: "capture", provider: "vendor", costUsd: SUBMISSION_USD + ANSWER_USD },
  ]);
  expect(await s.spent()).toMatchObject([{ provider: "vendor", usd: SUBMISSION_USD + ANSWER_USD }]);
  expect(await s.submissions()).toMatchObject([
    { attempts: 1, submission: { provider: "vendor", task: "task-1", costUsd: SUBMISSION_USD } },
  ]);
});

test("stores the start of a task before sending it; sends nothing if the job has another owner", async () => {
  await using vendor = await startVendor();
  const { ASSISTANT_A: provider } = vendorSources(vendor.url, "same_key");
  if (provider.name === null || !provider.tasks) throw new Error("the vendor takes no tasks");
  const begun: [Submission, number][] = [];
  const of = { submission: null, newId: () => "key-1", now: () => NOW, signal: new AbortController().signal };
  const begin = (isOurs: boolean) => (submission: Submission) => {
    begun.push([submission, vendor.sent.length]);
    return Promise.resolve(isOurs);
  };
  const known = { provider: "vendor", key: "key-1", begunAt: NOW, task: null, costUsd: 0 };
  expect(await stepTask(provider, QUESTION, { ...of, beginTask: begin(false) })).toEqual({
    kind: "lost",
    submission: null,
  });
  expect(vendor.sent).toEqual([]);
  expect(await stepTask(provider, QUESTION, { ...of, beginTask: begin(true) })).toEqual({
    kind: "waiting",
    submission: { ...known, task: "task-1", costUsd: SUBMISSION_USD },
    delayMs: 5,
    billedUsd: SUBMISSION_USD,
  });
  expect(begun).toEqual([
    [known, 0],
    [known, 0],
  ]);
  expect(vendor.sent).toMatchObject([{ method: "POST", body: { prompt: QUESTION.prompt, key: "key-1" } }]);
  // Tasks of another provider are not polled here, and late ones fail.
  const failing = async (submission: Submission, now = NOW) => {
    const step = await stepTask(provider, QUESTION, { ...of, beginTask: begin(true), submission, now: () => now });
    return step.kind === "failed" ? [step.error.message, step.error.kind, step.error.isRetryable] : step;
  };
  expect(await failing({ ...known, provider: "another" })).toEqual([
    "The provider that has the task no longer serves this source.",
    "unavailable",
    false,
  ]);
  expect(await failing({ ...known, task: "task-1" }, addMs(NOW, 30 * 60_000))).toEqual([
    "The provider did not finish its task in time (minutes: 30).",
    "timeout",
    false,
  ]);
  // One last poll happens.
  expect(vendor.sent.slice(1)).toMatchObject([{ path: "/tasks/task-1" }]);
  const late = await stepTask(provider, QUESTION, {
    ...of,
    beginTask: begin(true),
    submission: { ...known, task: "task-1" },
    now: () => addMs(NOW, 31 * 60_000),
  });
  expect(late.kind).toBe("answered");
});

test.each(["same_key", "look_up"] as const)(
  "a process killed before or after the vendor accepted a task submits it once: %s",
  async (afterUnknown) => {
    await using vendor = await startVendor();
    await using s = await askScene(["phone"], vendor, afterUnknown);
    // The vendor took it, and there was no word of it.
    await fetch(`${vendor.url}/tasks`, { method: "POST", body: JSON.stringify({ prompt: "phone", key: "key-1" }) });
    await s.killedWhileSubmitting("key-1");
    expect(await s.run()).toMatchObject({ status: "completed" });
    expect(vendor.billed()).toEqual({ phone: 1 });

    await using other = await startVendor();
    await using never = await askScene(["phone"], other, afterUnknown);
    await never.killedWhileSubmitting("key-2");
    expect(await never.run()).toMatchObject({ status: "completed" });
    expect(other.billed()).toEqual({ phone: 1 });
  },
);

test.each(["same_key", "look_up"] as const)(
  "a rejected status request does not cause a new task: %s",
  async (afterUnknown) => {
    const busy = { status: 429, headers: { "retry-after-ms": "20" } };
    await using vendor = await startVendor({
      submitted: (_, nth) => (nth === 2 ? busy : undefined),
      lookedUp: (nth) => (nth === 1 ? busy : undefined),
    });
    await using s = await askScene(["phone"], vendor, afterUnknown);
    await fetch(`${vendor.url}/tasks`, { method: "POST", body: JSON.stringify({ prompt: "phone", key: "key-1" }) });
    await s.killedWhileSubmitting("key-1");
    expect(await s.run()).toMatchObject({ status: "completed" });
    expect(vendor.billed()).toEqual({ phone: 1 });
  },
);

test("a task with a delayed status delays no other question, and costs no attempt", async () => {
  // Fault: one interrupted submission blocked a provider's questions for a minute.
  const isLastTaken = () => vendor.billed()["third"] !== undefined;
  await using vendor = await startVendor({
    submitted: (prompt, nth) => (prompt === "cut" && nth === 1 ? { isCutOff: true } : undefined),
    polled: () => "done",
    lookedUp: () => (isLastTaken() ? undefined : { body: "later" }),
  });
  await using s = await askScene(["cut", "second", "third"], vendor, "look_up");
  expect(await s.run({ VENDOR_CONCURRENCY: "1" })).toMatchObject({ status: "completed", succeeded: 3 });
  expect(vendor.billed()).toEqual({ cut: 1, second: 1, third: 1 });
  expect((await s.submissions()).map(({ attempts }) => attempts)).toEqual([2, 1, 1]);
});

test("bills an unreadable answer once, however often it is polled", async () => {
  // Fault: the cost was counted from both response bodies.
  await using vendor = await startVendor({
    polled: () => ({ body: { id: "task-1", status: "done", text: "", cost: ANSWER_USD } }),
  });
  await using s = await askScene(["phone"], vendor);
  expect(await s.run({ VENDOR_MONTHLY_USD: "10", VENDOR_MOST_USD: "1" })).toMatchObject({ status: "failed" });
  expect(requestsTo(vendor)).toEqual(["POST /tasks", "GET /tasks/task-1", "GET /tasks/task-1"]);
  expect(await s.spent()).toMatchObject([{ provider: "vendor", usd: SUBMISSION_USD + ANSWER_USD }]);
});

test("without status and idempotency, a question that may have been submitted fails, and is not paid twice", async () => {
  await using vendor = await startVendor();
  await using s = await askScene(["phone"], vendor, "never");
  await s.killedWhileSubmitting("key-1");
  expect(await s.run()).toMatchObject({ status: "failed" });
  expect(await s.jobs()).toMatchObject([
    { reason: "It is unknown whether the provider accepted the prompt, and sending it again could be billed twice." },
  ]);
  expect(vendor.sent).toEqual([]);
});

test("an interrupted submission is not repeated as a new task; a rejected one is", async () => {
  await using vendor = await startVendor({
    submitted: (prompt, nth) => {
      if (nth > 1) return undefined;
      if (prompt === "cut") return { isCutOff: true };
      return prompt === "busy" ? { status: 429, headers: { "retry-after-ms": "20" } } : undefined;
    },
  });
  await using s = await askScene(["cut", "busy"], vendor);
  expect(await s.run()).toMatchObject({ status: "completed", succeeded: 2 });
  expect(vendor.billed()).toEqual({ cut: 1, busy: 1 });
  const keys = vendor.sent.flatMap(({ body }) => (body ? [body as { prompt: string; key: string }] : []));
  const keysOf = (asked: string) => new Set(keys.filter(({ prompt }) => prompt === asked).map(({ key }) => key)).size;
  expect([keys.length, keysOf("cut"), keysOf("busy")]).toEqual([4, 1, 2]);
  expect(await s.spent()).toMatchObject([{ usd: 2 * (SUBMISSION_USD + ANSWER_USD) }]);
});

test("a failed poll costs no attempt; a failed task is submitted again; an unreadable body is stored", async () => {
  await using vendor = await startVendor({
    polled: (prompt, nth) => {
      if (prompt === "flaky") return nth < 8 ? { status: 503 } : "done";
      if (prompt === "failing") return "failed";
      return { body: { status: "new" } };
    },
  });
  await using s = await askScene(["flaky", "failing", "odd"], vendor);
  expect(await s.run()).toMatchObject({ status: "partial", succeeded: 1, failed: 2 });
  expect(vendor.billed()).toEqual({ flaky: 1, failing: 3, odd: 1 });
  expect((await s.jobs()).map(({ attempts, reason }) => [attempts, reason])).toEqual([
    [1, null],
    [3, "The provider could not be reached, or broke off its answer."],
    [2, "The provider's answer could not be read."],
  ]);
  const kept = await s.store.read((db) => listUnreadBodies(db, "vendor"));
  expect(kept).toMatchObject([{ provider: "vendor", kind: "malformed", body: '{"status":"new"}' }]);
});

/** A collect of three questions, with a task for the last one at the vendor. */
async function sceneWithOpenTask(vendor: Vendor) {
  const s = await askScene(["first", "second", "third"], vendor);
  const submission = { provider: "vendor", key: "key-1", begunAt: s.deps.now(), task: "task-1", costUsd: 0 };
  await fetch(`${vendor.url}/tasks`, { method: "POST", body: JSON.stringify({ prompt: "third", key: "key-1" }) });
  await s.store.write(async (db) => {
    const last = db.q.select({ id: db.t.jobs.id }).from(db.t.jobs).orderBy(desc(db.t.jobs.id)).limit(1);
    await db.q.update(db.t.jobs).set({ submission, status: "submitted" }).where(inArray(db.t.jobs.id, last));
  });
  return { ...s, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose]() };
}

const requestsTo = (vendor: Vendor) => vendor.sent.map(({ method, path }) => `${method} ${path}`);

test("polls existing tasks before submitting questions", async () => {
  // Fault: behind 100,000 submissions, a vendor had deleted answers before they were polled.
  await using vendor = await startVendor({ polled: () => "done" });
  await using s = await sceneWithOpenTask(vendor);
  expect(await s.run({ VENDOR_CONCURRENCY: "1" })).toMatchObject({ status: "completed", succeeded: 3 });
  expect(requestsTo(vendor).slice(0, 3)).toEqual(["POST /tasks", "GET /tasks/task-1", "POST /tasks"]);
});

test("existing tasks are paid, and complete although the others are canceled", async () => {
  await using vendor = await startVendor({ polled: () => "done" });
  await using s = await sceneWithOpenTask(vendor);
  expect((await s.owner.post(`${s.analysis}/archive`, {})).status).toBe(200);
  expect(await s.run()).toMatchObject({ succeeded: 1, failed: 2 });
  expect(requestsTo(vendor)).toEqual(["POST /tasks", "GET /tasks/task-1"]);
  expect((await s.answers()).map(({ prompt }) => prompt)).toEqual(["third"]);
  expect(await s.credits()).toMatchObject({ available: 9_999, reserved: 0 });
});

test("a pause submits nothing, and polls existing tasks until done", async () => {
  // Fault: a vendor deleted paid answers before the analysis was resumed.
  await using vendor = await startVendor();
  await using s = await sceneWithOpenTask(vendor);
  expect((await s.owner.post(`${s.analysis}/pause`)).status).toBe(200);
  await using _worker = await s.otherWorker(5000, undefined, vendorSources(vendor.url, "same_key"));
  await expect
    .poll(async () => (await s.answers()).map(({ prompt }) => prompt), { timeout: 10_000 })
    .toEqual(["third"]);
  expect(requestsTo(vendor)).toEqual(["POST /tasks", "GET /tasks/task-1", "GET /tasks/task-1"]);
  expect((await s.jobs()).map(({ status }) => status)).toEqual(["queued", "queued", "succeeded"]);
  expect((await s.owner.post(`${s.analysis}/resume`)).status).toBe(200);
  expect(await s.ended(s.analysis)).toMatchObject({ status: "completed", succeeded: 3 });
  expect(vendor.billed()).toEqual({ first: 1, second: 1, third: 1 });
});

test("a collect whose last task completes during a pause completes, and the analysis stays paused", async () => {
  await using vendor = await startVendor({ polled: () => "done" });
  await using s = await askScene(["phone"], vendor);
  await s.killedWhileSubmitting("key-1");
  expect((await s.owner.post(`${s.analysis}/pause`)).status).toBe(200);
  expect(await s.run()).toMatchObject({ status: "completed", cost: { reserved_credits: 0, spent_credits: 1 } });
  expect((await s.owner.get(s.analysis)).body).toMatchObject({ status: "paused", progress: null });
  expect((await s.owner.post(`${s.analysis}/resume`)).body).toMatchObject({ status: "live" });
  expect(vendor.billed()).toEqual({ phone: 1 });
});

test("stores the newest unreadable bodies of each provider", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  await s.store.write(async (db) => {
    for (let nth = 10; nth < 35; nth++) {
      const row = { provider: "vendor", kind: "malformed", at: addMs(NOW, nth), body: `body ${nth}` };
      await storeUnreadBody(db, { ...row, jobId: `job ${nth}` });
      await storeUnreadBody(db, { ...row, jobId: "job 34", body: `again ${nth}`, at: addMs(NOW, nth + 1) });
    }
    await storeUnreadBody(db, { provider: "other", kind: "cut_off", at: NOW, jobId: "job", body: "cut" });
  });
  const bodies = (await s.store.read((db) => listUnreadBodies(db, "vendor"))).map(({ body }) => body);
  expect([bodies.length, bodies[0], bodies.at(-1)]).toEqual([20, "again 34", "body 15"]);
  expect(await s.store.read((db) => countUnreadBodies(db))).toEqual([
    { provider: "other", bodies: 1, newest: NOW },
    { provider: "vendor", bodies: 20, newest: addMs(NOW, 35) },
  ]);
});
