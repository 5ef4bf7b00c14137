import { asc, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { BACKGROUND_KINDS } from "../../core/jobs/background.ts";
import { isPoisoned, isSuspect, POISONED_REASON } from "../../core/jobs/worker-failures.ts";
import { JOB_KINDS } from "../../src/jobs/background/background-kinds.ts";
import { crawlScene } from "../audits/crawl-scene.ts";
import { fakeSite } from "../audits/fake-site.ts";
import { answerAllBut } from "../collecting/collect-end.ts";
import { startAssistant, responseBody } from "../collecting/provider.ts";
import { collectScene } from "../collecting/scene.ts";
import { openCommitted } from "../support/committed.ts";
import { hangWorker, expireLeases } from "./hang-worker.ts";
import { world } from "../support/world.ts";
import { backgroundWorker, listWaitingJobs, hangTwice } from "./poisoned-jobs-cases.ts";

test("a question that was in progress when two workers hung fails, its collect completes as partial, and its credit is released", async () => {
  await using provider = await startAssistant(() => ({ body: responseBody("Acme") }));
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core" } });
  const analysis = await s.create(["phone 0", "phone 1", "phone 2"]);
  const { q, t } = openCommitted(s.store);
  const jobs = await q.select({ id: t.jobs.id }).from(t.jobs).orderBy(asc(t.jobs.id));
  const [poisoned = "", ...others] = jobs.map(({ id }) => id);
  await hangWorker(s.store, [poisoned, ...others], s.deps.now());
  await hangWorker(s.store, [poisoned], s.deps.now());
  await using _worker = await s.otherWorker();
  expect(await s.ended(analysis)).toMatchObject({
    status: "partial",
    succeeded: 2,
    failed: 1,
    cost: { reserved_credits: 0, spent_credits: 2 },
  });
  const rows = await q.select().from(t.jobs).orderBy(asc(t.jobs.id));
  expect(rows.map(({ status, failureReason, workerFailures }) => [status, failureReason, workerFailures])).toEqual([
    ["failed", POISONED_REASON, 0],
    ["succeeded", null, 0],
    ["succeeded", null, 0],
  ]);
  expect(provider.asked.size).toBe(2);
});

test("questions in progress during a hang are sent one at a time, so that a second hang has one cause", async () => {
  await using provider = await startAssistant(() => ({ delayMs: 50, body: responseBody("Acme") }));
  await using s = await collectScene({ env: { ...provider.env, SERVE: "core", COLLECT_CONCURRENCY: "8" } });
  const analysis = await s.create(Array.from({ length: 8 }, (_, nth) => `phone ${nth}`));
  const { q, t } = openCommitted(s.store);
  const ids = (await q.select({ id: t.jobs.id }).from(t.jobs)).map(({ id }) => id);
  await hangWorker(s.store, ids, s.deps.now());
  await using _worker = await s.otherWorker();
  const atOnce = new Set<number>();
  const watching = setInterval(async () => {
    const leased = await q.select().from(t.jobs).where(eq(t.jobs.status, "leased"));
    atOnce.add(leased.filter(isSuspect).length);
  }, 5);
  expect(await s.ended(analysis)).toMatchObject({ status: "completed", succeeded: 8 });
  clearInterval(watching);
  expect(Math.max(...atOnce)).toBe(1);
});

test.each(BACKGROUND_KINDS)("a %s job that was in progress when two workers hung fails with a reason", async (kind) => {
  await using w = await world({ env: { SERVE: "core" } });
  const { organization, workspace } = await w.acme();
  const { q, t } = openCommitted(w.store);
  const at = w.deps.now();
  const [once, twice] = [w.deps.newId(), w.deps.newId()];
  const job = {
    organizationId: organization.id,
    workspaceId: workspace.id,
    kind,
    status: "queued",
    attempts: 0,
  } as const;
  const rows = [once, twice].map((id) => ({ ...job, id, subjectId: w.deps.newId(), notBefore: at, createdAt: at }));
  await w.store.write(async (db) => void (await db.q.insert(db.t.backgroundJobs).values(rows)));
  await hangWorker(w.store, [once, twice], at);
  await hangWorker(w.store, [twice], at);
  const states = async () => {
    const found = await q
      .select()
      .from(t.backgroundJobs)
      .where(inArray(t.backgroundJobs.id, [once, twice]));
    return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row) => [isSuspect(row), isPoisoned(row)]);
  };
  expect(await states()).toEqual([
    [true, false],
    [false, true],
  ]);
  const worker = backgroundWorker(w);
  const find = async () => (await q.select().from(t.backgroundJobs).where(eq(t.backgroundJobs.id, twice)))[0];
  await expect.poll(find, { timeout: 5000 }).toMatchObject({ status: "failed", failureReason: POISONED_REASON });
  await worker.close();
});

test("a collect whose sums stopped the worker twice fails, and its credits are released", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  const analysis = await s.create(["phone 0", "phone 1"]);
  const subjectId = await answerAllBut(s, 0);
  const id = s.deps.newId();
  const at = s.deps.now();
  await s.store.write(async ({ q, t }) => {
    const of = { organizationId: s.organization.id, workspaceId: s.workspace.id, subjectId };
    const job = {
      ...of,
      id,
      kind: "end_collect",
      status: "queued",
      attempts: 0,
      notBefore: at,
      createdAt: at,
    } as const;
    await q.insert(t.backgroundJobs).values(job);
  });
  await hangTwice(s, [id]);
  const worker = backgroundWorker(s);
  expect(await s.ended(analysis)).toMatchObject({ status: "failed", cost: { reserved_credits: 0, spent_credits: 0 } });
  expect((await s.owner.get(analysis)).body).toMatchObject({
    status: "failed",
    status_reason: `The answers of the collect could not be summed up. ${POISONED_REASON}`,
  });
  await worker.close();
});

const SITE = "https://acme.test";

const page = (title: string) => ({ html: `<title>${title}</title>` });

test("a page that stopped the worker twice is skipped with the reason; progress since the first time resets the count", async () => {
  await using s = await crawlScene();
  const audit = await s.audit([`${SITE}/`, `${SITE}/a`, `${SITE}/b`]);
  const collectId = await audit.run();
  const ids = await listWaitingJobs(s, "crawl_site");
  const hanging = { meanwhile: () => Promise.reject(new Error("the worker hangs")) };
  const site = fakeSite({ [`${SITE}/`]: page("Home"), [`${SITE}/a`]: hanging, [`${SITE}/b`]: page("B") });
  // The crawl progresses after the first hang, so that the second one is the first at the next
  // page.
  for (const suspicious of [false, true, true]) {
    await hangWorker(s.store, ids, s.deps.now());
    const job = await s.nextJob();
    expect([job && isSuspect(job), job && isPoisoned(job)]).toEqual([true, false]);
    if (suspicious) break;
    await expect(s.crawl(site.crawler)).rejects.toThrow("the worker hangs");
    expect(await s.nextJob()).toMatchObject({ workerFailures: 0 });
  }
  await hangWorker(s.store, ids, s.deps.now());
  const job = await s.nextJob();
  if (!job || !isPoisoned(job)) throw new Error("the crawl is not poisoned");
  expect(await JOB_KINDS.crawl_site.onPoisoned?.(job, s.workWith(site.crawler))).toBe(true);
  await s.crawl(site.crawler);
  const stored = await s.stored(collectId);
  expect(stored.jobs.map(({ url, status, reason }) => [url, status, reason])).toEqual([
    [`${SITE}/`, "succeeded", null],
    [`${SITE}/a`, "failed", POISONED_REASON],
    [`${SITE}/b`, "succeeded", null],
  ]);
  expect(stored).toMatchObject({ collect: { succeeded: 2, failed: 1 }, ends: collectId });
});

test("a crawl that stopped the worker twice before its first page fails all of its pages", async () => {
  await using s = await crawlScene();
  const audit = await s.audit([`${SITE}/`, `${SITE}/a`]);
  const collectId = await audit.run();
  await hangTwice(s, await listWaitingJobs(s, "crawl_site"));
  const job = await s.nextJob();
  if (!job) throw new Error("there is no crawl");
  expect(await JOB_KINDS.crawl_site.onPoisoned?.(job, s.workWith(fakeSite({}).crawler))).toBe(false);
  const stored = await s.stored(collectId);
  expect(stored.jobs.map(({ status, reason }) => [status, reason])).toEqual([
    ["failed", POISONED_REASON],
    ["failed", POISONED_REASON],
  ]);
  expect(stored).toMatchObject({ collect: { status: "running", failed: 2 }, ends: collectId });
});

test("an expired lease is no suspicion: repeated kills of a service fail no job", async () => {
  await using w = await world({ env: { SERVE: "core" } });
  const { owner, workspace } = await w.acme();
  await owner.post(`${workspace.path}/exports`, { what: "catalog", format: "jsonl" }, { prefer: "respond-async" });
  const ids = await listWaitingJobs(w, "make_export");
  for (let nth = 0; nth < 3; nth++) await expireLeases(w.store, ids, w.deps.now());
  const { q, t } = openCommitted(w.store);
  expect(await q.select().from(t.backgroundJobs)).toMatchObject([{ status: "queued", workerFailures: 0 }]);
});
