import { askedOf, settingsToReadWith } from "../../../db/measuring/asked-prompts.ts";
import type { ClaimedJob } from "../../../db/measuring/jobs.ts";
import {
  ProviderError,
  type Provider,
  type ProviderAnswer,
  type Sources,
  type Question,
} from "../../outside/sources/provider.ts";
import type { Reading } from "../../../core/reading/capture.ts";
import { findMentions } from "../../../core/reading/find-mentions.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import type { PerceptionContext } from "../../../core/perception/perception.ts";
import type { JudgedOpinions, OpinionJudge } from "../../../core/perception/judged-opinions.ts";
import { listsResults } from "../../../core/sources.ts";
import { placeOf } from "../../../core/place.ts";
import type { Instant } from "../../../core/time.ts";
import { kindOf } from "../../../tools/analyses/kinds.ts";
import { backoffMs } from "../../../core/backoff.ts";
import type { Budget } from "./budget.ts";
import type { WorkLine } from "../work-line.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** What became of one attempt. */
export type Outcome =
  | { kind: "answered"; answer: ProviderAnswer; reading: Reading; catalog: CompiledCatalog; at: Instant }
  | { kind: "retry"; reason: string; delayMs: number }
  | { kind: "failed"; reason: string }
  /** Not asked to the end, because the process stops. */
  | { kind: "returned" };

export interface Asking {
  sources: Sources;
  limiterOf: (provider: Provider) => RateLimiter;
  budget: Budget;
  /** Where asking and reading, which are work of this thread, wait for their turn. */
  line: WorkLine;
  attempts: number;
  backoffBaseMs: number;
  now: () => Instant;
  /** Reads opinions besides the rules. */
  judge?: OpinionJudge | undefined;
  /** Told of faults that are not a provider's. */
  onFault: (error: unknown) => void;
}

/** The reason that aborts questions when the process stops. */
export const STOPPING = new Error("the process stops");

/** Asks one claimed job and reads what comes back. Never throws. */
export async function askJob(
  job: ClaimedJob,
  catalog: CompiledCatalog,
  abort: AbortController,
  asking: Asking,
): Promise<Outcome> {
  const provider = asking.sources[job.source];
  if (provider.name === null) return { kind: "failed", reason: provider.reason };
  if (job.attempts > asking.attempts) {
    return { kind: "failed", reason: "The question was taken up again and again without an outcome." };
  }
  const limiter = asking.limiterOf(provider);
  try {
    const ask = () => askWithin(provider, job, questionOf(job, catalog), { abort, asking });
    const answer = await limiter.pass(ask, { of: job.collectId, signal: abort.signal });
    limiter.used(answer.tokens);
    const judged = asking.judge ? await judgedOf(job, answer, { catalog, asking, signal: abort.signal }) : null;
    const kept = { ...storable(answer), judged };
    return await asking.line.run(job, () => {
      const reading = kindOf(job.analysisType).read(kept, catalog, readingContextOf(job));
      return { kind: "answered", answer: kept, reading, catalog, at: asking.now() };
    });
  } catch (error) {
    if (abort.signal.reason === STOPPING) return { kind: "returned" };
    return outcomeOf(error, job, limiter, asking);
  }
}

/** What a model finds in an answer besides the rules, where one is configured; null where it fails: the answer counts all the same. */
async function judgedOf(
  job: ClaimedJob,
  { text, collectionMethod }: ProviderAnswer,
  { catalog, asking, signal }: { catalog: CompiledCatalog; asking: Asking; signal: AbortSignal },
): Promise<JudgedOpinions | null> {
  const { judge } = asking;
  if (!judge || job.analysisType !== "brand_analysis" || collectionMethod === "simulated") return null;
  if (listsResults(job.source)) return null;
  const named = new Set(findMentions(clean(text), catalog).map((mention) => mention.brand_id));
  const brands = catalog.brands.filter(({ id }) => named.has(id));
  if (brands.length === 0) return null;
  const { category, attributes = [] } = settingsToReadWith(job.setup);
  try {
    return await judge.judge(clean(text), { brands, category, attributes }, { signal });
  } catch (error) {
    signal.throwIfAborted();
    asking.onFault(error);
    return null;
  }
}

/** What the reading of an answer must know of its job. */
export function readingContextOf({ prompt, source, asked, setup }: ClaimedJob): PerceptionContext {
  return { prompt, source, asked: askedOf(asked), ...settingsToReadWith(setup) };
}

async function askWithin(
  provider: Provider,
  job: ClaimedJob,
  question: Question,
  { abort, asking: { budget, line } }: { abort: AbortController; asking: Asking },
): Promise<ProviderAnswer> {
  if (!budget.take(provider)) {
    throw new ProviderError("What may be spent at the provider this month is spent.", { retryable: false });
  }
  let costUsd: number | null = null;
  try {
    const answer = await line.run(job, () => provider.ask(question, { signal: abort.signal }));
    costUsd = answer.costUsd;
    return answer;
  } finally {
    budget.settle(provider, costUsd);
  }
}

function outcomeOf(error: unknown, job: ClaimedJob, limiter: RateLimiter, asking: Asking): Outcome {
  if (!(error instanceof ProviderError)) asking.onFault(error);
  const known =
    error instanceof ProviderError
      ? error
      : new ProviderError("Something failed on our side.", { retryable: true, cause: error });
  const { message: reason, retryable, retryAfterMs } = known;
  if (retryAfterMs !== undefined && retryable) limiter.pause(retryAfterMs);
  if (!retryable || job.attempts >= asking.attempts) return { kind: "failed", reason };
  const delayMs = backoffMs(job.attempts, { baseMs: asking.backoffBaseMs, retryAfterMs, random: Math.random() });
  return { kind: "retry", reason, delayMs };
}

function questionOf(job: ClaimedJob, catalog: CompiledCatalog): Question {
  const { prompt, source, run, collectNumber, thematic, topic, persona } = job;
  return {
    ...placeOf(job.setup, job.country),
    prompt,
    source,
    run,
    collectNumber,
    thematic,
    topic,
    persona: persona === null ? null : [persona.name, persona.archetype, persona.description].join(". "),
    brands: catalog.brands,
    asked: askedOf(job.asked),
    ...settingsToReadWith(job.setup),
  };
}

/** Without NUL and broken Unicode, which no store keeps. */
function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function storable(answer: ProviderAnswer): ProviderAnswer {
  const title = (row: { title?: string | undefined }) => (row.title === undefined ? {} : { title: clean(row.title) });
  return {
    ...answer,
    text: clean(answer.text),
    rawBody: clean(answer.rawBody),
    model: answer.model === null ? null : clean(answer.model),
    citations: answer.citations.map((row) => ({ position: row.position, url: clean(row.url), ...title(row) })),
    results: answer.results.map((row) => ({
      rank: row.rank,
      url: clean(row.url),
      ...title(row),
      ...(row.snippet === undefined ? {} : { snippet: clean(row.snippet) }),
    })),
  };
}
