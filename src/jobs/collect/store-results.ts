import type { Catalogs } from "../../../db/catalog/catalogs.ts";
import { insertAnswers, type ReadAnswer } from "../../../db/answers/answers.ts";
import { addedAnswers, countEndedJobs } from "../../../db/analyses/collect-progress.ts";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import { endJob, type ClaimedJob, type JobEnd } from "../../../db/jobs/collect-jobs.ts";
import type { CollectRow } from "../../../db/analyses/analyses.ts";
import { addProviderSpend } from "../../../db/sources/provider-spend.ts";
import { addSourceSpend, type SourceSpend } from "../../../db/sources/source-spend.ts";
import { keepUnreadBody } from "../../../db/answers/unread-bodies.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { localeOf, placeOf } from "../../../core/shared/place.ts";
import { readableText } from "../../../core/reading/reading.ts";
import { isPoisoned } from "../../../core/jobs/worker-failures.ts";
import { later, type Instant } from "../../../core/shared/time.ts";
import { completeCollect } from "../../../tools/collects/complete-collect.ts";
import { kindOf } from "../../../tools/analyses/kinds/kinds.ts";
import { readAnswer } from "../../../tools/answers/read-answer.ts";
import { readingContextOf, type Outcome } from "./ask-job.ts";
import { settleAttempt, type Excess } from "./spending.ts";

/** One attempt and what became of it. */
export interface Result {
  job: ClaimedJob;
  /** Who was asked; null where no provider is there. */
  provider: string | null;
  outcome: Outcome;
}

/** A collect of so few questions is summed and ended in a few milliseconds, whatever its workspace has. */
export const MOST_OF_SMALL = 16;
/** A transaction that took so long by then ends no collect, and none whose sums take so long. */
const [MOST_BEFORE_END_MS, MOST_SUMMING_MS] = [6, 10];

/** What the log says of a collect that has ended. */
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
 * Stores results in the transaction of `db`, one after the other until `isOver` says so of the milliseconds that took: the ends of their
 * jobs and the answers. A small collect whose last question it was ends with it where `endsSmall`; others are to be ended in the
 * background. What another worker took over meanwhile is dropped, so no job is answered twice. Gives the results that it is done with.
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
  // What came too late to be kept was paid for all the same; a task is told of again, with what it cost, to who has it by now.
  const kept = new Set(own);
  const billed = done.filter((result) => kept.has(result) || result.outcome.submission === undefined);
  await addProviderSpend(db, spentOn(billed), now);
  await addSourceSpend(db, spentBySource(billed, own), now);
  await keepUnread(db, done, now);
  for (const [collectId, ended] of endedPerCollect(own)) {
    const answers = stored.map(({ answer }) => answer).filter((answer) => answer.collectId === collectId);
    const collect = await countEndedJobs(db, collectId, { ...ended, added: addedAnswers(answers) });
    if (!collect || collect.succeeded + collect.failed < collect.planned) continue;
    const last = own.find(({ job }) => job.collectId === collectId);
    const isQuick = collect.planned <= MOST_OF_SMALL && performance.now() - began < MOST_BEFORE_END_MS;
    // Summing up may be what stopped the worker: a job of its own can fail of that.
    if (last && !isPoisoned(last.job) && by.endsSmall && isQuick && (await endAtOnce(db, collect, last, by))) {
      by.onEnd(endedOf(collect));
      continue;
    }
    await enqueueBackgroundJob({ ...collect, db }, { id: newId(), kind: "end_collect", subjectId: collectId, at: now });
  }
  return done;
}

/**
 * Sums and ends a collect in the transaction of `db`, so that its person waits for no further one. False, and nothing is changed,
 * where its sums take long: its analysis may have many questions that this collect did not ask.
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

/** How many questions of each collect ended in which way. */
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

/** The catalogs that jobs are read with, by workspace. */
export async function catalogsOf(
  db: Db,
  jobs: readonly { job: ClaimedJob }[],
  catalogs: Catalogs,
): Promise<Map<string, CompiledCatalog>> {
  const found = new Map<string, CompiledCatalog>();
  // One question per workspace: a batch of jobs is of a few at most.
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

/** The answer's row. It is read again where the catalog changed while it was asked. */
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

/** US dollars per provider. */
function spentOn(results: readonly Result[]): Map<string, number> {
  const spent = new Map<string, number>();
  for (const { provider, outcome } of results) {
    if (provider === null || !outcome.billedUsd) continue;
    spent.set(provider, (spent.get(provider) ?? 0) + outcome.billedUsd);
  }
  return spent;
}

/** What `billed` cost and how many answers of providers are kept, by organization and source. */
function spentBySource(
  billed: readonly Result[],
  kept: readonly Result[],
): (SourceSpend & { organizationId: string })[] {
  const spent = new Map<string, SourceSpend & { organizationId: string }>();
  const rowOf = ({ organizationId, source }: ClaimedJob) => {
    const key = `${organizationId} ${source}`;
    const row = spent.get(key) ?? { organizationId, source, usd: 0, answers: 0, unpriced: 0 };
    spent.set(key, row);
    return row;
  };
  for (const { job, outcome } of billed) if (outcome.billedUsd) rowOf(job).usd += outcome.billedUsd;
  for (const { job, outcome } of kept) {
    if (outcome.kind !== "answered" || outcome.answer.collectionMethod === "simulated") continue;
    const row = rowOf(job);
    row.answers += 1;
    row.unpriced += outcome.answer.costUsd === null ? 1 : 0;
  }
  return [...spent.values()];
}

/** Keeps what came and is no answer, for inspection. */
async function keepUnread(db: Db, results: readonly Result[], at: Instant): Promise<void> {
  for (const { job, provider, outcome } of results) {
    if (provider === null || !outcome.unread) continue;
    await keepUnreadBody(db, { jobId: job.id, provider, at, ...outcome.unread });
  }
}
