import { toAskedPrompt, extractionSettings } from "../../../db/analyses/prompt-context.ts";
import type { ClaimedJob } from "../../../db/jobs/collect-jobs.ts";
import { ProviderError, type FailureKind } from "../../outside/sources/provider-error.ts";
import type {
  Provider,
  ProviderAnswer,
  Question,
  ProviderCallOptions,
  Sources,
} from "../../outside/sources/provider.ts";
import type { Reading, JudgedOpinions } from "../../../core/reading/capture.ts";
import { findMentions } from "../../../core/reading/find-mentions.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { PerceptionContext } from "../../../core/perception/perception.ts";
import type { OpinionJudge } from "../../../core/perception/merge-judged-opinions.ts";
import type { FailureCause } from "../../../core/sources/question-outcomes.ts";
import { isResultPageSource } from "../../../core/sources/sources.ts";
import { parseLocation } from "../../../core/shared/analysis-location.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { parseWithinTime } from "../../../core/shared/run-within-time.ts";
import { getAnalysisKind, readAnswer } from "../../../tools/analyses/kinds/kinds.ts";
import { computeBackoffMs } from "../../../core/jobs/backoff.ts";
import type { Submission } from "../../../core/sources/submission.ts";
import { stepTask, type TaskContext, type TaskStep } from "./ask-task.ts";
import type { BeforeRequest, RateLimiter } from "./rate-limiter.ts";

export type AskOutcome = {
  /** Billed by the provider in this attempt. */
  billedUsd?: number | null | undefined;
  mayBeBilled?: boolean | undefined;
  /** Task that the provider has or may have; absent if unchanged. */
  submission?: Submission | null | undefined;
  unread?: UnparsedBody | undefined;
} & (
  | { kind: "answered"; answer: ProviderAnswer; reading: Reading; catalog: CompiledCatalog; answeredAt: Instant }
  | { kind: "retry"; reason: string; delayMs: number }
  | { kind: "failed"; reason: string; cause: FailureCause }
  | { kind: "waiting"; delayMs: number }
  | { kind: "returned" }
);

export interface UnparsedBody {
  kind: FailureKind;
  body: string;
}

export interface Result {
  job: ClaimedJob;
  /** Null for a source without a provider. */
  provider: string | null;
  outcome: AskOutcome;
}

export interface AskContext {
  sources: Sources;
  limiterOf: (provider: Provider) => RateLimiter;
  /** Serialises CPU work of this thread, such as sending and parsing. */
  runInLine: <T>(job: ClaimedJob, work: () => T | Promise<T>) => Promise<T>;
  maxAttempts: number;
  backoffBaseMs: number;
  now: () => Instant;
  newId: () => string;
  /** False if another worker owns the job. */
  beginTask: (jobId: string, submission: Submission) => Promise<boolean>;
  judge?: OpinionJudge | undefined;
  onFault: (error: unknown) => void;
}

export const PROCESS_STOPPING = new Error("the process stops");

/** Never throws. */
export async function askJob(
  job: ClaimedJob,
  catalog: CompiledCatalog,
  abort: AbortController,
  askContext: AskContext,
): Promise<AskOutcome> {
  const provider = askContext.sources[job.askedSource];
  if (provider.name === null) return { kind: "failed", reason: provider.reason, cause: "not_configured" };
  // An accepted task is polled until its time limit, despite the max attempts.
  if (job.attempts > askContext.maxAttempts && job.submission === null) {
    const reason = "The prompt was tried the maximum number of times without an outcome.";
    return { kind: "failed", reason, cause: "internal" };
  }
  const limiter = askContext.limiterOf(provider);
  let isSent = false;
  try {
    const ask = (beforeRequest: BeforeRequest) => {
      isSent = true;
      const callOptions = { signal: abort.signal, onLimits: limiter.updateLimits, beforeRequest };
      return askOrStep(provider, job, toQuestion(job, catalog), { callOptions, askContext });
    };
    const begin = <T>(piece: () => T) => askContext.runInLine(job, piece);
    const step = await limiter.run(ask, { fairnessKey: job.collectId, signal: abort.signal, begin });
    if (step.kind !== "answered") return toStepOutcome(step, job, limiter, askContext);
    const { answer, billedUsd, submission } = step;
    limiter.recordTokens(answer.tokens);
    const judged = askContext.judge
      ? await judgeAnswer(job, answer, { catalog, askContext, signal: abort.signal })
      : null;
    const kept = { ...cleanAnswer(answer), judged };
    const of = { billedUsd, submission };
    return await askContext.runInLine(job, () => {
      const reading = readAnswer(getAnalysisKind(job.analysisType), kept, { catalog, context: toReadingContext(job) });
      return { kind: "answered", answer: kept, reading, catalog, answeredAt: askContext.now(), ...of };
    });
  } catch (error) {
    if (abort.signal.reason === PROCESS_STOPPING) return { kind: "returned", mayBeBilled: isSent };
    return toErrorOutcome(error, job, limiter, askContext);
  }
}

type AnswerStep = TaskStep<ProviderAnswer>;

function toStepOutcome(
  step: Exclude<AnswerStep, { kind: "answered" }>,
  job: ClaimedJob,
  limiter: RateLimiter,
  askContext: AskContext,
): AskOutcome {
  const { submission } = step;
  if (step.kind === "lost") return { kind: "returned" };
  if (step.kind === "broken_off") return { kind: "returned", submission };
  if (step.kind === "failed") {
    const outcome = toErrorOutcome(step.error, job, limiter, askContext);
    // A repeated poll reports the task's cost again.
    const isAskedAgain = outcome.kind === "retry" && submission?.task != null;
    return { ...outcome, ...(isAskedAgain && { billedUsd: 0 }), submission };
  }
  const { delayMs, billedUsd, pauseMs } = step;
  if (pauseMs !== undefined) limiter.pause(pauseMs);
  return { kind: "waiting", delayMs, billedUsd, submission };
}

/** Null without a model or if it fails, since the answer counts anyway. */
async function judgeAnswer(
  job: ClaimedJob,
  { text, collectionMethod }: ProviderAnswer,
  { catalog, askContext, signal }: { catalog: CompiledCatalog; askContext: AskContext; signal: AbortSignal },
): Promise<JudgedOpinions | null> {
  const { judge } = askContext;
  if (!judge || job.analysisType !== "brand_analysis" || collectionMethod === "simulated") return null;
  if (isResultPageSource(job.source)) return null;
  const mentions = parseWithinTime(text.length, () => findMentions(cleanText(text), catalog), []);
  const named = new Set(mentions.map((mention) => mention.brand_id));
  const brands = catalog.brands.filter(({ id }) => named.has(id));
  if (brands.length === 0) return null;
  const { category, attributes = [] } = extractionSettings(job.setup);
  try {
    return await judge.judge(cleanText(text), { brands, category, attributes }, { signal });
  } catch (error) {
    signal.throwIfAborted();
    askContext.onFault(error);
    return null;
  }
}

export function toReadingContext({ prompt, source, asked, setup }: ClaimedJob): PerceptionContext {
  return { prompt, source, asked: toAskedPrompt(asked), ...extractionSettings(setup) };
}

async function askOrStep(
  provider: Provider,
  job: ClaimedJob,
  question: Question,
  { callOptions, askContext }: { callOptions: ProviderCallOptions; askContext: AskContext },
): Promise<AnswerStep> {
  const { newId, now } = askContext;
  if (provider.tasks) {
    const beginTask: TaskContext["beginTask"] = (begun) => askContext.beginTask(job.id, begun);
    return stepTask({ name: provider.name, tasks: provider.tasks }, question, {
      submission: job.submission,
      beginTask,
      newId,
      now,
      ...callOptions,
    });
  }
  const answer = await provider.ask(question, callOptions);
  return { kind: "answered", answer, billedUsd: answer.costUsd, submission: null };
}

function toErrorOutcome(error: unknown, job: ClaimedJob, limiter: RateLimiter, askContext: AskContext): AskOutcome {
  if (!(error instanceof ProviderError)) askContext.onFault(error);
  const failure =
    error instanceof ProviderError
      ? error
      : new ProviderError("unavailable", { message: "Something failed on our side.", cause: error });
  const { kind, message: reason, isRetryable, retryAfterMs, rawBody, costUsd: billedUsd, mayBeBilled } = failure;
  const of = { billedUsd, mayBeBilled, unread: rawBody === undefined ? undefined : { kind, body: cleanText(rawBody) } };
  if (retryAfterMs !== undefined && isRetryable) limiter.pause(retryAfterMs);
  if (!isRetryable || job.attempts >= Math.min(askContext.maxAttempts, failure.maxAttempts)) {
    return { kind: "failed", reason, cause: failure === error ? kind : "internal", ...of };
  }
  const delayMs = computeBackoffMs(job.attempts, {
    baseMs: askContext.backoffBaseMs,
    retryAfterMs,
    random: Math.random(),
  });
  return { kind: "retry", reason, delayMs, ...of };
}

function toQuestion(job: ClaimedJob, catalog: CompiledCatalog): Question {
  const { prompt, source, run, collectNumber, thematic, topic, persona } = job;
  return {
    ...parseLocation(job.setup, job.country),
    prompt,
    source,
    run,
    collectNumber,
    thematic,
    topic,
    persona: persona === null ? null : [persona.name, persona.archetype, persona.description].join(". "),
    brands: catalog.brands,
    asked: toAskedPrompt(job.asked),
    ...extractionSettings(job.setup),
  };
}

/** Removes NUL and invalid Unicode, which the database rejects. */
function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function cleanAnswer(answer: ProviderAnswer): ProviderAnswer {
  const cleaned = <Row extends object>(row: Row): Row =>
    // Safe: only strings inside change, the fields stay.
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, typeof value === "string" ? cleanText(value) : value]),
    ) as Row;
  return {
    ...cleaned(answer),
    citations: answer.citations.map(cleaned),
    results: answer.results.map(cleaned),
    ...(answer.retrieved && { retrieved: answer.retrieved.map(cleaned) }),
    ...(answer.queries && { queries: answer.queries.map(cleanText) }),
    ...(answer.products && { products: answer.products.map(cleaned) }),
  };
}
