import { and, eq } from "drizzle-orm";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { claimBackgroundJob, finishBackgroundJob, enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { toInstant, addMs } from "../../core/shared/time.ts";
import { Requeue, PermanentFailure } from "../../src/jobs/background/background.ts";
import { readKeywords } from "../../src/jobs/keywords/read-keywords.ts";
import { dataforseoProvider } from "../../src/outside/sources/providers/dataforseo.ts";
import { collectScene } from "../collecting/scene.ts";
import { openCommitted } from "../support/committed.ts";
import { doneReply, failedReply, taskReply } from "../dataforseo/replies.ts";
import { startFakeProvider, type Reply, type SentRequest } from "../providers/fake-provider.ts";
import { DATAFORSEO } from "../providers/scenes.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";

const DAY_MS = 24 * 3_600_000;
const VOLUME = "/keywords_data/google_ads/search_volume/task_post";

interface Task {
  keywords: string[];
  tag: string;
}

/**
 * A small DataForSEO that takes tasks about keywords and bills each: every keyword has 100 searches
 * a month for each of its letters.
 */
async function openVendor(
  instead: (sent: SentRequest, nth: number) => Reply | undefined = () => undefined,
  onTaken: () => Reply | undefined = () => undefined,
) {
  const tasks: { id: string; path: string; asked: Task }[] = [];
  const server = await startFakeProvider((sent, nth) => {
    const { path, body } = sent;
    const other = instead(sent, nth);
    if (other) return other;
    if (path.endsWith("/id_list")) {
      return doneReply(...tasks.map(({ id, asked }) => ({ id, cost: 0.06, metadata: { tag: asked.tag } })));
    }
    if (path.endsWith("/task_post")) {
      const [asked] = body as [Task];
      const id = `task-${tasks.length + 1}`;
      tasks.push({ id, path, asked });
      const cost = path === VOLUME ? 0.06 : 0.0027;
      return onTaken() ?? { body: { status_code: 20000, tasks: [{ id, status_code: 20100, cost }] } };
    }
    const task = tasks.find(({ id }) => path.endsWith(`/${id}`));
    if (!task) return taskReply(40400);
    const { keywords } = task.asked;
    if (task.path === VOLUME) {
      const rows = keywords.map((keyword) => ({ keyword, search_volume: 100 * keyword.length }));
      return doneReply(...rows.filter(({ keyword }) => !keyword.includes("untold")));
    }
    const items = [{ type: "google_trends_graph", data: [{ values: [50] }, { values: [100] }] }];
    return doneReply({ keywords, items });
  });
  return {
    url: server.url,
    sent: server.sent,
    /** The keywords of each task that was billed. */
    billed: () => tasks.map(({ asked }) => asked.keywords),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
type Vendor = Awaited<ReturnType<typeof openVendor>>;

/** A service without worker, with this keyword vendor and a manual clock. */
async function reading(vendor: Vendor, settings: Record<string, string> = {}) {
  const env = { ...DATAFORSEO.env, DATAFORSEO_BASE_URL: vendor.url, ...settings };
  const provider = dataforseoProvider.open(env, { concurrency: 1 });
  if (!provider) throw new Error("DataForSEO is not configured");
  const asked = provider;
  let isConfigured = true;
  // Behind the real clock, so that the vendor lists earlier tasks.
  let aheadMs = -600_000;
  const now = () => toInstant(Date.now() + aheadMs);
  const s = await collectScene({ env: { SERVE: "core,search,mcp", ...env }, now });
  const claimed = { owner: "us", kinds: ["read_keywords"], laneKinds: ["read_keywords"], after: "" } as const;

  /** Runs one job once; returns its outcome, undefined without one. */
  async function run(signal = new AbortController().signal) {
    const claim = { ...claimed, now: now(), leaseEnd: addMs(now(), 60_000), canTakeSuspects: true };
    const job = await s.store.write((db) => claimBackgroundJob(db, claim));
    if (!job) return undefined;
    const keywords = isConfigured ? { provider: asked, organizationCapUsd: null } : undefined;
    const work = { ...s.deps, now, log: pino({ level: "silent" }), keywords };
    const end = {
      notBefore: now(),
      reason: null as string | null,
      countsAsAttempt: true,
      clearsFailures: true,
      status: "succeeded" as const,
    };
    const ended = await readKeywords(job, { ...work, store: s.store, backoffBaseMs: 1, signal }).then(
      () => end,
      (error: unknown) => {
        if (error instanceof PermanentFailure) return { ...end, status: "failed" as const, reason: error.message };
        const notBefore = error instanceof Requeue ? (error.notBefore ?? now()) : now();
        if (error instanceof Requeue || signal.aborted)
          return { ...end, status: "queued" as const, countsAsAttempt: false, notBefore };
        throw error;
      },
    );
    await s.store.write((db) => finishBackgroundJob(db, { ...job, owner: "us" }, ended, now()));
    return ended;
  }

  return {
    ...s,
    run,
    unconfigure: () => void (isConfigured = false),
    pass: (ms: number) => void (aheadMs += ms),
    /** Runs all jobs to their end, advancing the clock; returns failure reasons. */
    async runAll(): Promise<string[]> {
      const reasons: string[] = [];
      for (let runs = 0; runs < 200; runs++) {
        const ended = await run();
        if (ended?.reason != null) reasons.push(ended.reason);
        const { q, t } = openCommitted(s.store);
        const isWaiting =
          (await q.$count(
            t.backgroundJobs,
            and(eq(t.backgroundJobs.kind, "read_keywords"), eq(t.backgroundJobs.status, "queued")),
          )) > 0;
        if (!ended && !isWaiting) return reasons;
        if (!ended) aheadMs += 5000;
      }
      throw new Error("the jobs did not end");
    },
    /** Asks for the reading that follows a collect. */
    again: (analysis: string) =>
      s.store.write((db) =>
        enqueueBackgroundJob(
          { db, organizationId: s.organization.id, workspaceId: s.workspace.id },
          { id: s.deps.newId(), kind: "read_keywords", subjectId: analysis.split("/").at(-1) ?? "", at: now() },
        ),
      ),
    money: async () => {
      const { q, t } = openCommitted(s.store);
      const [account] = await q.select().from(t.spendAccounts).where(eq(t.spendAccounts.period, "life"));
      const [ledger] = await q.select().from(t.providerSpend);
      return { spent: account?.spent ?? 0, reserved: account?.reserved ?? 0, ledger: ledger?.usd ?? 0 };
    },
    /** The search volume of each keyword of an analysis, with where it comes from. */
    volumes: async (analysis: string) => {
      const { body } = await s.owner.get(`${analysis}/keywords`);
      return body.data.map((row: Record<string, unknown>) => [
        row["text"],
        row["search_volume"],
        row["search_volume_from"],
      ]);
    },
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

const given = (text: string, more: object) => ({
  thematics: [{ name: "Phones", topics: [{ name: "All", keywords: [{ text: "best phone" }, { text, ...more }] }] }],
});

test("reads keyword data after an analysis is created, once in 30 days, and shows its source and date", async () => {
  await using vendor = await openVendor();
  await using s = await reading(vendor, { DATAFORSEO_KEYWORDS: "interest" });
  const long = "which phone has more than ten words in what is asked of it";
  const analysis = await s.create(["best phone", "Best phone?", long]);
  expect(await s.runAll()).toEqual([]);
  expect(vendor.billed()).toEqual([["best phone"], ["best phone"], ["best phone?"], [long]]);
  const [first] = (await s.owner.get(`${analysis}/keywords`)).body.data;
  expect(await s.volumes(analysis)).toEqual([
    ["best phone", 1000, "dataforseo"],
    ["Best phone?", 1000, "dataforseo"],
    [long, null, null],
  ]);
  const at = first.search_volume_at;
  expect(await s.money()).toEqual({ spent: 68_100, reserved: 0, ledger: expect.closeTo(0.0681, 9) });

  const project = { project_id: analysis.split("/").at(-1) ?? "", client_id: s.organization.id };
  const query = new URLSearchParams({ ...project, sources: "", thematics: "", keyword_type: "" });
  const { body } = await s.owner.get(`/api/v1/keywords-metrics?${query.toString()}`);
  expect(body.data[0]).toMatchObject({ search_volume: 1000, search_interest_trends: [50, 100] });
  expect(body.data[2].search_volume).toBeUndefined();
  const row = { from: "dataforseo", keywords: 2, country: "US", language: "en", first_at: at, last_at: at };
  expect(body.basis.keyword_figures).toEqual([row]);
  // Sorting by text reads all keywords; setup order counts in the database.
  const byText = await s.owner.get(`/api/v1/keywords-metrics?${query.toString()}&sort_column=prompt`);
  expect(byText.body.basis.keyword_figures).toEqual([row]);
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const tool = await client?.call("list_keywords_metrics", {
    organization: s.organization.id,
    analysis: project.project_id,
    basis: "full",
  });
  expect(tool?.structured.basis.keyword_figures).toEqual([row]);

  await s.again(analysis);
  s.pass(29 * DAY_MS);
  await s.runAll();
  expect(vendor.billed()).toHaveLength(4);
  s.pass(2 * DAY_MS);
  await s.again(analysis);
  await s.runAll();
  expect(vendor.billed()).toHaveLength(8);
});

test("requests no data that the setup has, and does not repeat requests that the provider could not answer", async () => {
  await using vendor = await openVendor();
  await using s = await reading(vendor);
  const analysis = await s.create([], given("acme phone", { search_volume: 7 }));
  const other = await s.create(["untold phone", "best phone"]);
  await s.runAll();
  expect(vendor.billed()).toEqual([["best phone"], ["untold phone"]]);
  expect(await s.volumes(analysis)).toEqual([
    ["best phone", 1000, "dataforseo"],
    ["acme phone", 7, "setup"],
  ]);
  expect(await s.volumes(other)).toEqual([
    ["untold phone", null, "dataforseo"],
    ["best phone", 1000, "dataforseo"],
  ]);
  await s.again(other);
  await s.runAll();
  expect(vendor.billed()).toHaveLength(2);
});

test("does not request a keyword twice while another analysis's request is pending", async () => {
  await using vendor = await openVendor();
  await using s = await reading(vendor);
  await s.create(["best phone", "acme phone"]);
  await s.run();
  await s.create(["acme phone", "new phone"]);
  await s.runAll();
  expect(vendor.billed()).toEqual([["best phone", "acme phone"], ["new phone"]]);
});

test("a process that dies during a submission finds the task by tag, and pays once", async () => {
  // Attack on our purse: the vendor takes and bills the task, and no word of it arrives.
  const dying = new AbortController();
  const nothing: Reply = { hangs: true };
  await using vendor = await openVendor(undefined, () => {
    if (dying.signal.aborted) return undefined;
    dying.abort();
    return nothing;
  });
  await using s = await reading(vendor);
  const analysis = await s.create(["best phone"]);
  expect(await s.run(dying.signal)).toMatchObject({ status: "queued" });
  expect(vendor.billed()).toHaveLength(1);
  expect(await s.money()).toEqual({ spent: 0, reserved: 90_000, ledger: 0 });
  await s.runAll();
  expect(vendor.billed()).toHaveLength(1);
  expect(await s.volumes(analysis)).toEqual([["best phone", 1000, "dataforseo"]]);
  expect(await s.money()).toEqual({ spent: 60_000, reserved: 0, ledger: 0.06 });
});

test("a rejected keyword or batch blocks no other keyword", async () => {
  await using vendor = await openVendor(({ path, body }) => {
    const isRefused = path === VOLUME && (body as [Task])[0].keywords.includes("banned phone");
    return isRefused ? taskReply(40501, { message: "Invalid Field: 'keywords'." }) : undefined;
  });
  await using s = await reading(vendor);
  const analysis = await s.create(["a phone", "b phone", "banned phone", "c phone", "d phone"]);
  expect(await s.runAll()).toEqual([]);
  expect(vendor.billed()).toEqual([
    ["a phone", "b phone"],
    ["c phone", "d phone"],
  ]);
  expect((await s.volumes(analysis)).map(([, volume]: [string, number | null]) => volume)).toEqual([
    700,
    700,
    null,
    700,
    700,
  ]);
});

test("a rejected key ends with the reason, releases reservations, and the next collect tries again", async () => {
  let isWrong = true;
  await using vendor = await openVendor(() => (isWrong ? { ...failedReply(40100), status: 401 } : undefined));
  await using s = await reading(vendor);
  const analysis = await s.create(["best phone"]);
  expect(await s.runAll()).toEqual(["The provider rejected the configured key (HTTP 401)."]);
  expect(vendor.sent).toHaveLength(1);
  expect(await s.money()).toEqual({ spent: 0, reserved: 0, ledger: 0 });
  isWrong = false;
  await s.again(analysis);
  expect(await s.runAll()).toEqual([]);
  expect(await s.volumes(analysis)).toEqual([["best phone", 1000, "dataforseo"]]);
});

test("a rate-limited provider is paused for all its users", async () => {
  await using vendor = await openVendor((_sent, nth) =>
    nth === 1 ? { status: 429, headers: { "retry-after": "40" } } : undefined,
  );
  await using s = await reading(vendor);
  const analysis = await s.create(["best phone"]);
  const { notBefore = "" } = (await s.run()) ?? {};
  const [pace] = await openCommitted(s.store).q.select().from(openCommitted(s.store).t.providerPaces);
  expect(Math.abs((pace?.heldUntilMs ?? 0) - Date.parse(notBefore))).toBeLessThan(1000);
  expect(await s.run()).toBeUndefined();
  await s.runAll();
  expect(vendor.billed()).toEqual([["best phone"]]);
  expect(await s.volumes(analysis)).toEqual([["best phone", 1000, "dataforseo"]]);
});

test("requests nothing beyond a cap", async () => {
  await using vendor = await openVendor();
  await using s = await reading(vendor, { DATAFORSEO_DAILY_USD: "0.1" });
  await s.create(["best phone"]);
  await s.create(["acme phone"]);
  expect(await s.runAll()).toEqual(["The daily spending cap of the provider is reached."]);
  expect(vendor.billed()).toHaveLength(1);
});

test("reservations end with the settings under which they were made", async () => {
  await using vendor = await openVendor();
  await using s = await reading(vendor);
  await s.create(["best phone"]);
  await s.run();
  expect(await s.money()).toEqual({ spent: 0, reserved: 90_000, ledger: 0.06 });
  s.pass(30_000);
  s.unconfigure();
  expect(await s.run()).toMatchObject({ status: "succeeded" });
  expect(await s.money()).toEqual({ spent: 90_000, reserved: 0, ledger: 0.06 });
});

test("the worker reads the keywords of an analysis that is created, by the settings of the service", async () => {
  await using server = await startFakeProvider(({ path }) =>
    path === VOLUME ? doneReply({ keyword: "best phone", search_volume: 1900 }) : { status: 404 },
  );
  const env = { ...DATAFORSEO.env, DATAFORSEO_BASE_URL: server.url };
  await using s = await collectScene({ env });
  const analysis = await s.create(["best phone"]);
  await vi.waitFor(
    async () => expect((await s.owner.get(`${analysis}/keywords`)).body.data[0].search_volume).toBe(1900),
    { timeout: 10_000, interval: 20 },
  );
  expect(server.sent.map(({ path }) => path)).toEqual([VOLUME]);
});

test("queues no reading of the keywords of a new analysis without a provider of keyword data", async () => {
  await using s = await collectScene({ env: { SERVE: "core" } });
  await s.create(["best phone"]);
  const { q, t } = openCommitted(s.store);
  expect(await q.$count(t.backgroundJobs, eq(t.backgroundJobs.kind, "read_keywords"))).toBe(0);
});
