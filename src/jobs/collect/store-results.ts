import type { Catalogs } from "../../../db/catalog/catalogs.ts";
import { insertAnswers, type ReadAnswer } from "../../../db/answers/answers.ts";
import { addedAnswers, countEndedJobs } from "../../../db/analyses/collect-progress.ts";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import { endJob, type ClaimedJob, type JobEnd } from "../../../db/jobs/collect-jobs.ts";
import type { CollectRow } from "../../../db/analyses/analyses.ts";
import { keepUnreadBody } from "../../../db/answers/unread-bodies.ts";
import { StoreError, type StoreFault } from "../../../db/engine/store-error.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { localeOf, placeOf } from "../../../core/shared/place.ts";
import { readableText } from "../../../core/reading/reading.ts";
import { isPoisoned } from "../../../core/jobs/worker-failures.ts";
import { later, type Instant } from "../../../core/shared/time.ts";
import { completeCollect } from "../../../tools/collects/complete-collect.ts";
import { kindOf, readAnswer } from "../../../tools/analyses/kinds/kinds.ts";
import { readingContextOf, type Outcome, type Result } from "./ask-job.ts";
import { addSpend, settleAttempt, type Excess } from "./spending.ts";

/** Max prompts of a small collect, whose metrics take a few milliseconds in any workspace. */
export const MOST_OF_SMALL = 16;
/** Max age of a transaction that completes a collect, and max duration of its metrics. */
const [MOST_BEFORE_END_MS, MOST_SUMMING_MS] = [6, 10];

export interface EndedCollect {
  collectId: string;
  planned: number;
  succeeded: number;
  failed: number;
}

export function endedOf({ id: collectId, planned, succeeded, failed }: CollectRow): EndedCollect {
  return { collectId, planned, succeeded, failed };
}

type Answered = Result & { outcome: Extract<Outcome, { kind: "answered" }> };

/**
 * Stores results in the transaction of `db` until `isOver` returns true for its milliseconds.
 * Completes small collects with `endsSmall`, others in the background. Drops results of jobs taken
 * over by another worker. Returns processed results.
 */
export async function storeResults(
  db: Db,
  results: readonly Result[],
  by: {
    owner: string;
    now: Instant;
    newId: () => string;
    catalogs: Catalogs;
    isOver: (ms: number) => boolean;
    endsSmall: boolean;
    onExcess: (bill: Excess) => void;
    onEnd: (ended: EndedCollect) => void;
  },
): Promise<Result[]> {
  const { owner, now, newId, isOver } = by;
  const began = performance.now();
  const current = await catalogsOf(db, results, by.catalogs);
  const [done, own, stored]: [Result[], Result[], ReadAnswer[]] = [[], [], []];
  for (const result of results) {
    if (done.length > 0 && isOver(performance.now() - began)) break;
    done.push(result);
    if (!(await endJob(db, owner, endOf(result, now), now))) continue;
    own.push(result);
    const excess = await settleAttempt(db, result, now);
    if (excess) by.onExcess(excess);
    if (!isAnswered(result)) continue;
    const answer = answerOf(result, current.get(result.job.workspaceId), newId);
    await insertAnswers(db, [answer]);
    stored.push(answer);
  }
  // Dropped results were billed anyway. A task's cost passes to the worker that now owns the job.
  const kept = new Set(own);
  const billed = done.filter((result) => kept.has(result) || result.outcome.submission === undefined);
  await addSpend(db, { billed, own }, now);
  await keepUnread(db, done, now);
  for (const [collectId, ended] of endedPerCollect(own)) {
    const answers = stored.map(({ answer }) => answer).filter((answer) => answer.collectId === collectId);
    const collect = await countEndedJobs(db, collectId, { ...ended, added: addedAnswers(answers) });
    if (!collect || collect.succeeded + collect.failed < collect.planned) continue;
    const last = own.find(({ job }) => job.collectId === collectId);
    const isQuick = collect.planned <= MOST_OF_SMALL && performance.now() - began < MOST_BEFORE_END_MS;
    // Otherwise a separate job computes the metrics, so that only that job fails if they crash the
    // worker.
    if (last && !isPoisoned(last.job) && by.endsSmall && isQuick && (await endAtOnce(db, collect, last, by))) {
      by.onEnd(endedOf(collect));
      continue;
    }
    await enqueueBackgroundJob({ ...collect, db }, { id: newId(), kind: "end_collect", subjectId: collectId, at: now });
  }
  return done;
}

/**
 * Computes metrics and completes the collect in the transaction of `db`. False, without changes, if
 * metrics would take long, because the analysis may have many other prompts.
 */
async function endAtOnce(
  db: Db,
  collect: CollectRow,
  { job }: Result,
  by: { now: Instant; newId: () => string },
): Promise<boolean> {
  const kind = kindOf(job.analysisType);
  const began = performance.now();
  try {
    const sums = await kind.sum(
      (read) => read(db),
      collect,
      async () => {
        if (performance.now() - began > MOST_SUMMING_MS) throw new TakesLong();
      },
    );
    const spent = await kind.spent((read) => read(db), collect);
    await completeCollect(db, { collect, kind, sums, spent }, by);
    return true;
  } catch (error) {
    if (error instanceof TakesLong) return false;
    throw error;
  }
}

class TakesLong extends Error {}

function isAnswered(result: Result): result is Answered {
  return result.outcome.kind === "answered";
}

function endedPerCollect(results: readonly Result[]): Map<string, { succeeded: number; failed: number }> {
  const ended = new Map<string, { succeeded: number; failed: number }>();
  for (const { job, outcome } of results) {
    const counts = ended.get(job.collectId) ?? { succeeded: 0, failed: 0 };
    if (outcome.kind === "answered") counts.succeeded += 1;
    if (outcome.kind === "failed") counts.failed += 1;
    ended.set(job.collectId, counts);
  }
  return ended;
}

export async function catalogsOf(
  db: Db,
  jobs: readonly { job: ClaimedJob }[],
  catalogs: Catalogs,
): Promise<Map<string, CompiledCatalog>> {
  const found = new Map<string, CompiledCatalog>();
  for (const { job } of jobs) {
    const { organizationId, workspaceId } = job;
    if (found.has(workspaceId)) continue;
    found.set(workspaceId, (await catalogs.of({ db, organizationId, workspaceId })).compiled);
  }
  return found;
}

function endOf({ job, outcome }: Result, now: Instant): JobEnd {
  const submission = outcome.submission === undefined ? job.submission : outcome.submission;
  const end = {
    id: job.id,
    notBefore: now,
    reason: null,
    outcome: null,
    attempted: true,
    clearsFailures: true,
    submission,
  };
  const open = submission === null ? "queued" : "submitted";
  if (outcome.kind === "answered") {
    const { answer, reading } = outcome;
    return { ...end, status: "succeeded", outcome: answer.isRefusal ? "refused" : reading.shown ? null : "not_shown" };
  }
  if (outcome.kind === "failed") return { ...end, status: "failed", reason: outcome.reason, outcome: outcome.cause };
  if (outcome.kind === "returned") return { ...end, status: open, attempted: false, clearsFailures: false };
  const notBefore = later(now, outcome.delayMs);
  if (outcome.kind === "waiting") return { ...end, status: open, notBefore, attempted: false };
  return { ...end, status: open, notBefore, reason: outcome.reason };
}

/** Re-extracts the answer if the catalog changed in the meantime. */
function answerOf({ job, outcome }: Answered, catalog: CompiledCatalog | undefined, newId: () => string): ReadAnswer {
  const { organizationId, workspaceId, analysisId, collectId, questionId, source, run, prompt } = job;
  const { answer, at } = outcome;
  const kind = kindOf(job.analysisType);
  const isCurrent = catalog === undefined || catalog === outcome.catalog;
  const reading = isCurrent ? outcome.reading : readAnswer(kind, answer, { catalog, context: readingContextOf(job) });
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
      locale: localeOf(placeOf(job.setup, job.country)),
      collectionMethod: answer.collectionMethod,
      costCredits: kind.answerCredits(job.unitCredits),
      costUsd: answer.costUsd,
      collectedAt: at,
    },
    reading,
  };
}

/** Stores unparsable bodies for inspection. */
async function keepUnread(db: Db, results: readonly Result[], at: Instant): Promise<void> {
  for (const { job, provider, outcome } of results) {
    if (provider === null || !outcome.unread) continue;
    await keepUnreadBody(db, { jobId: job.id, provider, at, ...outcome.unread });
  }
}

const WAITED_FOR: ReadonlySet<StoreFault> = new Set(["full", "busy", "unreadable", "readonly", "replaced"]);

/**
 * Fails the job if the database rejects the answer itself; retries while the disk is full, busy or
 * missing.
 */
export function afterFault(result: Result, error: unknown): Result {
  if (error instanceof StoreError && WAITED_FOR.has(error.reason)) return result;
  const { billedUsd, submission } = result.outcome;
  return {
    ...result,
    outcome: { kind: "failed", reason: "The answer could not be stored.", cause: "internal", billedUsd, submission },
  };
}
