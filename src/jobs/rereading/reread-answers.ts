import { setImmediate as nextTurn } from "node:timers/promises";
import type { VersionedCatalog } from "../../../db/catalog/catalogs.ts";
import {
  clearWorkerFailures,
  enqueueBackgroundJob,
  findBackgroundJob,
  storeJobProgress,
} from "../../../db/jobs/background-jobs.ts";
import {
  countReadingChanges,
  countStoredAnswers,
  isMeasuredCollect,
  listNewestMeasuredCollects,
  listStoredAnswers,
  listStoredCollects,
  setSummedVersion,
  replaceReadings,
  type AnswerReading,
  type StoredAnswer,
  type StoredCollect,
} from "../../../db/answers/readings.ts";
import { replaceSums } from "../../../db/metrics/rollups.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { orderForReextraction, ReextractionProgress } from "../../../core/reading/reextraction.ts";
import { READING_VERSION, restoreCapture, createUnreadReading } from "../../../core/reading/reading.ts";
import { countCharacters, getAnalysisKind, readAnswers } from "../../../tools/analyses/kinds/kinds.ts";
import { groupBySize } from "../../../core/shared/run-within-time.ts";
import { Requeue, type BackgroundJob, type BackgroundWork } from "../background/background.ts";
import { gatherCollectNames, storeNames } from "./suggest-brands.ts";

const UNREADABLE_ANSWER = "could not read an answer";
const ANSWERS_PER_BATCH = 50;
/** Rows written; about as many are deleted. */
const ROWS_PER_TRANSACTION = 100;

/** After this time, the job yields to others. */
const MAX_RUN_MS = 10_000;

/**
 * One transaction replaces a collect's metrics, so that they never mix two catalogs.
 * After a catalog change the current collect continues with its catalog if possible.
 */
export async function rereadAnswers(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  const deadlineMs = performance.now() + MAX_RUN_MS;
  let progress = ReextractionProgress.safeParse(job.progress).data;
  let nextCollectId = progress?.collect ?? null;
  for (;;) {
    const catalog = await store.read((tenant) => work.catalogs.load(tenant));
    if (progress?.catalog !== catalog.version) {
      progress = await startProgress(store, work, { catalog, first: nextCollectId });
      if (await handOverToNewerJob(job, store, progress)) return;
    }
    const next = await rereadCollects({ job, work, store, catalog, progress, deadlineMs });
    if (!next) return;
    ({ nextCollectId } = next);
  }
}

interface RereadContext {
  job: BackgroundJob;
  work: BackgroundWork;
  store: TenantStore;
  catalog: VersionedCatalog;
  progress: ReextractionProgress;
  deadlineMs: number;
}

async function startProgress(
  store: TenantStore,
  work: BackgroundWork,
  { catalog, first }: { catalog: VersionedCatalog; first: string | null },
): Promise<ReextractionProgress> {
  return {
    catalog: catalog.version,
    first,
    collect: null,
    answer: null,
    answers_done: 0,
    answers_total: await store.read(countStoredAnswers),
    started_at: work.now(),
  };
}

/** A catalog change has queued a separate job, which continues here. */
async function handOverToNewerJob(job: BackgroundJob, store: TenantStore, progress: ReextractionProgress) {
  return store.write(async (tenant) => {
    const newest = await findBackgroundJob(tenant, job.kind, job.subjectId);
    if (!newest || newest.id === job.id || newest.status !== "queued") return false;
    await storeJobProgress(tenant.db, newest.id, progress);
    return true;
  });
}

/** Undefined once all answers use this catalog; otherwise the next collect for the new one. */
async function rereadCollects(rereading: RereadContext): Promise<{ nextCollectId: string | null } | undefined> {
  const { work, store, progress } = rereading;
  const collects = orderForReextraction(await store.read(listStoredCollects), progress.first);
  const at = collects.findIndex(({ id }) => id === progress.collect);
  for (const [index, collect] of collects.entries()) {
    if (index < at) continue;
    if (collect.id !== progress.collect) Object.assign(progress, { collect: collect.id, answer: null });
    const following = collects[(index + 1) % collects.length];
    if ((await rereadCollect(rereading, collect)) !== "current") return { nextCollectId: following?.id ?? null };
  }
  const stored = await storePart(rereading, async (tenant) => {
    // Collects completed meanwhile contain answers re-extracted here and newer ones.
    await setSummedVersion(tenant, rereading.catalog.version);
    for (const { id: subjectId, type } of await listNewestMeasuredCollects(tenant)) {
      for (const kind of getAnalysisKind(type).afterRereading) {
        await enqueueBackgroundJob(tenant, { id: work.newId(), kind, subjectId, at: work.now() });
      }
    }
  });
  return stored === "current" ? undefined : { nextCollectId: progress.first };
}

async function rereadCollect(rereading: RereadContext, collect: StoredCollect): Promise<StoreOutcome> {
  const { store, progress } = rereading;
  let changes = await store.read((tenant) => countReadingChanges(tenant, collect.id));
  // The collect gets no further answers, and all are as this job left them.
  const canEnd: CanComplete = async (tenant) =>
    changes !== undefined && (await countReadingChanges(tenant, collect.id)) === changes;
  for (;;) {
    const part = { collectId: collect.id, after: progress.answer, limit: ANSWERS_PER_BATCH };
    const answers = await store.read((tenant) => listStoredAnswers(tenant, part));
    if (answers.length === 0) return completeReread(rereading, collect, canEnd);
    for (const readings of groupBySize(
      await rereadBatch(answers, collect, rereading),
      countRows,
      ROWS_PER_TRANSACTION,
    )) {
      progress.answer = readings.at(-1)?.answerId ?? null;
      progress.answers_done += readings.length;
      progress.answers_total = Math.max(progress.answers_total, progress.answers_done);
      const stored = await storePart(rereading, ({ db }) => replaceReadings(db, collect.id, readings), canEnd);
      if (stored === "refused") return stored;
      if (changes !== undefined) changes += 1;
      if (stored === "current" && performance.now() > rereading.deadlineMs) throw new Requeue();
    }
  }
}

type RereadAnswer = AnswerReading & { answerId: string };

function countRows({ reading: { mentions, brandRanks, citations, retrieved, queries } }: RereadAnswer): number {
  return 1 + [mentions, brandRanks, citations, retrieved, queries].reduce((sum, { length }) => sum + length, 0);
}

async function completeReread(rereading: RereadContext, collect: StoredCollect, canEnd: CanComplete) {
  const { work, store, catalog } = rereading;
  const names = await gatherCollectNames(collect.id, catalog, work, store);
  // A collect in progress gets its metrics on completion.
  const measured = await store.read((tenant) => isMeasuredCollect(tenant, collect.id));
  const sums = measured
    ? await getAnalysisKind(collect.type).computeTotals((read) => work.store.read(read), collect)
    : undefined;
  const stored = await storePart(
    rereading,
    async ({ db }) => {
      if (sums) await replaceSums(db, collect.id, sums, catalog.version);
    },
    canEnd,
  );
  if (stored === "current") await storeNames(store, collect.id, { names, catalog, work });
  return stored;
}

async function rereadBatch(
  answers: readonly StoredAnswer[],
  { type, settings }: StoredCollect,
  { catalog, work }: RereadContext,
): Promise<RereadAnswer[]> {
  const { compiled } = catalog;
  const opened = answers.map(({ prompt, source, asked, stored, ...answer }) => ({
    ...answer,
    capture: restoreCapture(stored, source),
    context: { prompt, source, asked, ...settings },
  }));
  const readings: RereadAnswer[] = [];
  for (const group of groupBySize(opened, countCharacters)) {
    work.signal.throwIfAborted();
    const parsed = readAnswers(getAnalysisKind(type), group.filter(isReadable), compiled).values();
    for (const answer of group) {
      const { id, key, capture, context, unreadReason: reason } = answer;
      const { source } = context;
      const reading = isReadable(answer) ? parsed.next().value : undefined;
      const stored = reading ?? createUnreadReading(capture, compiled, { source, reason: reason ?? "too_slow" });
      if (stored.unread && reason === null) work.log.warn({ answerId: id, reason: stored.unread }, UNREADABLE_ANSWER);
      readings.push({ answerId: id, answerKey: key, reading: stored, catalog: compiled });
    }
    await nextTurn();
  }
  return readings;
}

/** Answers that the current rules cannot parse are not retried. */
function isReadable({ unreadReason, readingVersion }: Pick<StoredAnswer, "unreadReason" | "readingVersion">): boolean {
  return unreadReason === null || readingVersion !== READING_VERSION;
}

type StoreOutcome = "current" | "older" | "refused";

type WritePart = (tenant: Tenant) => Promise<void>;
type CanComplete = (tenant: Tenant) => Promise<boolean>;

/** Writes nothing if the catalog changed, unless the collect can be completed with the old one. */
async function storePart(
  { job, work, store, catalog, progress }: RereadContext,
  write: WritePart,
  canEnd: CanComplete = async () => false,
): Promise<StoreOutcome> {
  await store.read((tenant) => work.catalogs.load(tenant));
  const storing = async (tenant: Tenant): Promise<StoreOutcome> => {
    const now = await work.catalogs.load(tenant);
    const stored = now.version === catalog.version ? "current" : "older";
    if (stored === "older" && !(hasAllBrands(now, catalog) && (await canEnd(tenant)))) return "refused";
    await write(tenant);
    await storeJobProgress(tenant.db, job.id, progress);
    await clearWorkerFailures(tenant.db, job);
    return stored;
  };
  // A repeatable write lets starts and ends of collects go first.
  return store.write(storing, { isRepeatable: true });
}

function hasAllBrands(now: VersionedCatalog, then: VersionedCatalog): boolean {
  const ids = new Set(now.compiled.brands.map(({ id }) => id));
  return then.compiled.brands.every(({ id }) => ids.has(id));
}
