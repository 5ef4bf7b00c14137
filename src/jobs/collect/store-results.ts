import type { CatalogCache } from "../../../db/catalog/catalogs.ts";
import { insertAnswers, type ExtractedAnswer } from "../../../db/answers/answers.ts";
import { sumAnswerTotals, addFinishedJobs } from "../../../db/analyses/collect-progress.ts";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import { finishJob, type ClaimedJob, type JobOutcome } from "../../../db/jobs/collect-jobs.ts";
import type { CollectRow } from "../../../db/analyses/analyses.ts";
import { storeUnreadBody } from "../../../db/answers/unread-bodies.ts";
import { StoreError, type StoreFault } from "../../../db/engine/store-error.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { toLocale, parseLocation } from "../../../core/shared/analysis-location.ts";
import { readableText } from "../../../core/reading/reading.ts";
import { isPoisoned } from "../../../core/jobs/worker-failures.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";
import { completeCollect } from "../../../tools/collects/complete-collect.ts";
import { getAnalysisKind, readAnswer } from "../../../tools/analyses/kinds/kinds.ts";
import { toReadingContext, type AskOutcome, type Result } from "./ask-job.ts";
import { addSpend, settleAttempt, type ExcessBill } from "./spending.ts";

/** Metrics of a small collect take a few milliseconds in any workspace. */
export const MAX_SMALL_PROMPTS = 16;
const [MAX_AGE_BEFORE_COMPLETION_MS, MAX_SUMMING_MS] = [6, 10];

export interface CompletedCollect {
  collectId: string;
  planned: number;
  succeeded: number;
  failed: number;
}

export function toCompletedCollect({ id: collectId, planned, succeeded, failed }: CollectRow): CompletedCollect {
  return { collectId, planned, succeeded, failed };
}

type AnsweredResult = Result & { outcome: Extract<AskOutcome, { kind: "answered" }> };

/**
 * Stores results until `isOver` returns true for its milliseconds. Drops results of jobs taken over
 * by another worker. Returns processed results.
 */
export async function storeResults(
  db: Db,
  results: readonly Result[],
  by: {
    owner: string;
    now: Instant;
    newId: () => string;
    catalogs: CatalogCache;
    isOver: (ms: number) => boolean;
    completesSmall: boolean;
    hasKeywordProvider?: boolean;
    onExcess: (bill: ExcessBill) => void;
    onEnd: (ended: CompletedCollect) => void;
  },
): Promise<Result[]> {
  const { owner, now, newId, isOver: shouldStop } = by;
  const began = performance.now();
  const current = await loadCatalogs(db, results, by.catalogs);
  const [done, own, stored]: [Result[], Result[], ExtractedAnswer[]] = [[], [], []];
  for (const result of results) {
    if (done.length > 0 && shouldStop(performance.now() - began)) break;
    done.push(result);
    if (!(await finishJob(db, owner, toJobEnd(result, now), now))) continue;
    own.push(result);
    const excess = await settleAttempt(db, result, now);
    if (excess) by.onExcess(excess);
    if (!isAnswered(result)) continue;
    const answer = toReadAnswer(result, current.get(result.job.workspaceId), newId);
    await insertAnswers(db, [answer]);
    stored.push(answer);
  }
  // Dropped results were billed anyway. A task's cost passes to the worker that now owns the job.
  const ownedResults = new Set(own);
  const billed = done.filter((result) => ownedResults.has(result) || result.outcome.submission === undefined);
  await addSpend(db, { billed, ownedResults: own }, now);
  await storeUnparsedBodies(db, done, now);
  for (const [collectId, ended] of countByCollect(own)) {
    const answers = stored.map(({ answer }) => answer).filter((answer) => answer.collectId === collectId);
    const collect = await addFinishedJobs(db, collectId, { ...ended, added: sumAnswerTotals(answers) });
    if (!collect || collect.succeeded + collect.failed < collect.planned) continue;
    const last = own.find(({ job }) => job.collectId === collectId);
    const isQuick = collect.planned <= MAX_SMALL_PROMPTS && performance.now() - began < MAX_AGE_BEFORE_COMPLETION_MS;
    // A separate job computes other metrics, so that only that job fails if they crash the worker.
    if (
      last &&
      !isPoisoned(last.job) &&
      by.completesSmall &&
      isQuick &&
      (await completeSmallCollect(db, collect, last, by))
    ) {
      by.onEnd(toCompletedCollect(collect));
      continue;
    }
    await enqueueBackgroundJob({ ...collect, db }, { id: newId(), kind: "end_collect", subjectId: collectId, at: now });
  }
  return done;
}

/** False, without changes, if metrics would take long: the analysis may have many other prompts. */
async function completeSmallCollect(
  db: Db,
  collect: CollectRow,
  { job }: Result,
  by: { now: Instant; newId: () => string; hasKeywordProvider?: boolean },
): Promise<boolean> {
  const kind = getAnalysisKind(job.analysisType);
  const began = performance.now();
  try {
    const sums = await kind.computeTotals(
      (read) => read(db),
      collect,
      async () => {
        if (performance.now() - began > MAX_SUMMING_MS) throw new SummingTooSlow();
      },
    );
    const spent = await kind.countSpentCredits((read) => read(db), collect);
    await completeCollect(db, { collect, kind, sums, spent }, by);
    return true;
  } catch (error) {
    if (error instanceof SummingTooSlow) return false;
    throw error;
  }
}

class SummingTooSlow extends Error {}

function isAnswered(result: Result): result is AnsweredResult {
  return result.outcome.kind === "answered";
}

function countByCollect(results: readonly Result[]): Map<string, { succeeded: number; failed: number }> {
  const ended = new Map<string, { succeeded: number; failed: number }>();
  for (const { job, outcome } of results) {
    const counts = ended.get(job.collectId) ?? { succeeded: 0, failed: 0 };
    if (outcome.kind === "answered") counts.succeeded += 1;
    if (outcome.kind === "failed") counts.failed += 1;
    ended.set(job.collectId, counts);
  }
  return ended;
}

export async function loadCatalogs(
  db: Db,
  jobs: readonly { job: ClaimedJob }[],
  catalogs: CatalogCache,
): Promise<Map<string, CompiledCatalog>> {
  const found = new Map<string, CompiledCatalog>();
  for (const { job } of jobs) {
    const { organizationId, workspaceId } = job;
    if (found.has(workspaceId)) continue;
    found.set(workspaceId, (await catalogs.load({ db, organizationId, workspaceId })).compiled);
  }
  return found;
}

function toJobEnd({ job, outcome }: Result, now: Instant): JobOutcome {
  const submission = outcome.submission === undefined ? job.submission : outcome.submission;
  const end = {
    id: job.id,
    notBefore: now,
    reason: null,
    outcome: null,
    countsAsAttempt: true,
    clearsFailures: true,
    submission,
  };
  const open = submission === null ? "queued" : "submitted";
  if (outcome.kind === "answered") {
    const { answer, reading } = outcome;
    return {
      ...end,
      status: "succeeded",
      outcome: answer.isRefusal ? "refused" : reading.isShown ? null : "not_shown",
    };
  }
  if (outcome.kind === "failed") return { ...end, status: "failed", reason: outcome.reason, outcome: outcome.cause };
  if (outcome.kind === "returned") return { ...end, status: open, countsAsAttempt: false, clearsFailures: false };
  const notBefore = addMs(now, outcome.delayMs);
  if (outcome.kind === "waiting") return { ...end, status: open, notBefore, countsAsAttempt: false };
  return { ...end, status: open, notBefore, reason: outcome.reason };
}

/** Re-extracts the answer if the catalog changed in the meantime. */
function toReadAnswer({ job, outcome }: AnsweredResult, catalog: CompiledCatalog | undefined, newId: () => string) {
  const { organizationId, workspaceId, analysisId, collectId, questionId, source, run, prompt } = job;
  const { answer, answeredAt } = outcome;
  const kind = getAnalysisKind(job.analysisType);
  const isCurrent = catalog === undefined || catalog === outcome.catalog;
  const reading = isCurrent ? outcome.reading : readAnswer(kind, answer, { catalog, context: toReadingContext(job) });
  return {
    catalog: isCurrent ? outcome.catalog : catalog,
    answer: {
      id: newId(),
      organizationId,
      workspaceId,
      analysisId,
      collectId,
      jobId: job.id,
      questionId,
      source,
      run,
      prompt,
      text: readableText(answer, source),
      results: answer.results,
      products: answer.products ?? null,
      isRefusal: answer.isRefusal ?? false,
      judged: answer.judged ?? null,
      rawBody: answer.rawBody,
      provider: answer.provider,
      model: answer.model,
      locale: toLocale(parseLocation(job.setup, job.country)),
      collectionMethod: answer.collectionMethod,
      costCredits: kind.answerCredits(job.unitCredits),
      costUsd: answer.costUsd,
      collectedAt: answeredAt,
    },
    reading,
  };
}

async function storeUnparsedBodies(db: Db, results: readonly Result[], at: Instant): Promise<void> {
  for (const { job, provider, outcome } of results) {
    if (provider === null || !outcome.unread) continue;
    await storeUnreadBody(db, { jobId: job.id, provider, at, ...outcome.unread });
  }
}

const TEMPORARY_FAULTS: ReadonlySet<StoreFault> = new Set(["full", "busy", "unreadable", "readonly", "replaced"]);

/** Retries while the disk is full, busy or missing. */
export function toResultAfterFault(result: Result, error: unknown): Result {
  if (error instanceof StoreError && TEMPORARY_FAULTS.has(error.reason)) return result;
  const { billedUsd, submission } = result.outcome;
  return {
    ...result,
    outcome: { kind: "failed", reason: "The answer could not be stored.", cause: "internal", billedUsd, submission },
  };
}
