import { once } from "node:events";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { startCollects } from "../../db/analyses/collect-progress.ts";
import { claimJobs, type ClaimedJob } from "../../db/jobs/collect-jobs.ts";
import { INITIAL_CURSOR } from "../../db/jobs/pick-jobs.ts";
import { compileCatalog } from "../../core/reading/catalog.ts";
import { JOB_SOURCES, SOURCES } from "../../core/sources/sources.ts";
import type { BackgroundKind } from "../../core/jobs/background.ts";
import { addMs } from "../../core/shared/time.ts";
import { openDispatcher } from "../../src/jobs/collect/dispatcher.ts";
import type { Result } from "../../src/jobs/collect/ask-job.ts";
import { storeResults } from "../../src/jobs/collect/store-results.ts";
import { openCommitted } from "../support/committed.ts";
import { findRollupDifferences, readCollectState } from "./collect-end.ts";
import { collectScene } from "./scene.ts";

afterEach(() => vi.restoreAllMocks());

const nobody = { name: null, reason: "Nobody answers." };
const NOBODY = Object.fromEntries(JOB_SOURCES.map((source) => [source, nobody])) as Record<string, typeof nobody>;
const SETTINGS = {
  maxAttempts: 1,
  backoffBaseMs: 1,
  now: () => "2026-11-22T00:00:00.000Z",
  newId: () => "id",
  beginTask: () => Promise.resolve(true),
  reserveSlots: () => Promise.resolve(0),
};

/** A claimed collect of these keywords with an answer to each that is not stored yet. */
async function answered(keywords: string[]) {
  const s = await collectScene({ env: { SERVE: "core" } });
  await s.create(keywords);
  const now = s.deps.now();
  const places = {
    sources: SOURCES,
    limit: 100,
    maxPerCollect: 100,
    usedPerCollect: new Map(),
    cursor: INITIAL_CURSOR,
  };
  const claim = { ...places, owner: "us", now, leaseEnd: addMs(now, 60_000) };
  const { jobs } = await s.store.write((db) => claimJobs(db, claim));
  const running = jobs.map(({ collectId }) => collectId);
  await s.store.write((db) => startCollects(db, running, now));
  const tenant = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  const { compiled } = await s.store.read((db) => s.deps.catalogs.load({ ...tenant, db }));
  const capture = { text: "Acme", citations: [], results: [] };
  const from = {
    rawBody: "{}",
    model: null,
    costUsd: 0,
    tokens: 0,
    provider: "test",
    collectionMethod: "api" as const,
  };
  const nothing = { mentions: [], brandRanks: [], citations: [], retrieved: [], queries: [] };
  const reading = { version: 3, isShown: true, isInformative: false, ...nothing };
  const outcome = {
    kind: "answered" as const,
    answer: { ...capture, ...from },
    reading,
    catalog: compiled,
    answeredAt: now,
  };
  const results = jobs.map((job): Result => ({ job, provider: "test", outcome }));
  const { newId, catalogs } = s.deps;
  const by = {
    owner: "us",
    now,
    newId,
    catalogs,
    isOver: (ms: number) => ms > 12,
    completesSmall: true,
    onExcess: () => undefined,
    onEnd: () => undefined,
  };
  return { ...s, results, by, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose]() };
}

test("fault: one transaction stores all completed results, however long; it stops after some milliseconds", async () => {
  await using s = await answered(["one", "two", "three"]);
  const { results } = s;
  /** Simulates a slow disk. */
  const newId = () => {
    const until = performance.now() + 30;
    while (performance.now() < until);
    return s.deps.newId();
  };
  for (let stored = 1; stored <= 3; stored++) {
    const done = await s.store.write((db) => storeResults(db, results.slice(stored - 1), { ...s.by, newId }));
    expect(done).toEqual([results[stored - 1]]);
    expect(await s.answers()).toHaveLength(stored);
  }
});

test("fault: the end of a collect of two questions waits for the turns of two more transactions; it ends with its last answer", async () => {
  await using s = await answered(["one", "two"]);
  // A busy machine would exceed the time after which completion moves to the background.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const store = (results: Result[]) =>
    s.store.write((db) => storeResults(db, results, { ...s.by, isOver: () => false }));
  await store(s.results.slice(1));
  expect(await readCollectState(s)).toMatchObject({ status: "running", ended: false, reserved: 2, ledger: 0 });
  await store(s.results.slice(0, 1));
  const ended = { status: "completed", succeeded: 2, spent: 2, reserved: 0, ledger: 1, follows: 1, analysis: "live" };
  expect(await readCollectState(s)).toMatchObject(ended);
  expect(await findRollupDifferences(s)).toEqual([]);
  expect(await waitingJobs(s, "end_collect")).toBe(0);
  // Another worker's late answers change nothing.
  await store(s.results);
  expect(await readCollectState(s)).toMatchObject(ended);
});

test("completes a large collect, or one written without disk sync, in the background", async () => {
  await using small = await answered(["one"]);
  await small.store.write((db) => storeResults(db, small.results, { ...small.by, completesSmall: false }));
  await using large = await answered(Array.from({ length: 17 }, (_, at) => `keyword ${at}`));
  await large.store.write((db) => storeResults(db, large.results, { ...large.by, isOver: () => false }));
  for (const s of [small, large]) {
    expect(await readCollectState(s)).toMatchObject({ status: "running", ended: false, ledger: 0 });
    expect(await waitingJobs(s, "end_collect")).toBe(1);
  }
});

test.each([true, false])("a completed collect has its keywords read if a provider has them: %s", async (has) => {
  await using s = await answered(["one"]);
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  await s.store.write((db) => storeResults(db, s.results, { ...s.by, hasKeywordProvider: has }));
  expect(await readCollectState(s)).toMatchObject({ status: "completed" });
  expect(await waitingJobs(s, "read_keywords")).toBe(has ? 1 : 0);
});

function waitingJobs({ store }: Awaited<ReturnType<typeof answered>>, kind: BackgroundKind): Promise<number> {
  const { q, t } = openCommitted(store);
  return q.$count(t.backgroundJobs, eq(t.backgroundJobs.kind, kind));
}

test("stores results of a small collect before earlier ones of a large collect", async () => {
  // Only what an unanswered question needs.
  const log = {} as never;
  const dispatcher = openDispatcher({ ...SETTINGS, log, sources: NOBODY as never }, () => undefined);
  const catalog = {} as never;
  const ask = (collectId: string) =>
    dispatcher.sendPrompt({ collectId, source: "ASSISTANT_A", askedSource: "ASSISTANT_A" } as ClaimedJob, catalog);
  for (const collectId of ["large", "large", "large", "small"]) ask(collectId);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(dispatcher.listResults(Infinity).map(({ job }) => job.collectId)).toEqual([
    "small",
    "large",
    "large",
    "large",
  ]);
  dispatcher.removeStored(dispatcher.listResults(2));
  expect(dispatcher.listResults(Infinity).map(({ job }) => job.collectId)).toEqual(["large", "large"]);
});

test("a small collect without open questions is short, a large or open one is not", async () => {
  // Fault: results of two questions wait behind an import, a re-extraction and a collect of
  // thousands.
  const end = new AbortController();
  const over = once(end.signal, "abort");
  const limits = {
    concurrency: 1,
    requestsPerMinute: null,
    tokensPerMinute: null,
    spendCapUsd: null,
    dailyCapUsd: null,
  };
  const slow = {
    name: "slow",
    limits,
    price: () => ({ expectedUsd: 0, maxUsd: 0 }),
    ask: () => over.then(() => Promise.reject(new Error("over"))),
  };
  const sources = { ...NOBODY, SEARCH_A: slow };
  const log = { error: () => undefined, warn: () => undefined } as never;
  const dispatcher = openDispatcher({ ...SETTINGS, log, sources: sources as never }, () => undefined);
  const ask = (collectId: string, source: string) => {
    const planned = collectId === "few" ? 2 : 5000;
    const job = {
      collectId,
      source,
      askedSource: source,
      planned,
      organizationId: "one",
      attempts: 1,
      setup: {},
      persona: null,
      asked: { kind: null },
    };
    dispatcher.sendPrompt(job as ClaimedJob, compileCatalog([]));
  };
  const results = () => dispatcher.listResults(Infinity).length;
  for (let at = 0; at < 5; at++) ask("many", "ASSISTANT_A");
  await expect.poll(results).toBe(5);
  expect(dispatcher.hasSmallCollect()).toBe(false);
  for (const source of ["ASSISTANT_A", "SEARCH_A"]) ask("few", source);
  await expect.poll(results).toBe(6);
  expect(dispatcher.hasSmallCollect()).toBe(false);
  end.abort();
  await expect.poll(results).toBe(7);
  expect(dispatcher.hasSmallCollect()).toBe(true);
});
