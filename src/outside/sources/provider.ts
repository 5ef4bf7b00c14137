import type { Capture, TrackedBrand } from "../../../core/reading/capture.ts";
import type { CollectionMethod, Source } from "../../../core/sources.ts";

/** One question as a provider is asked it. */
export interface Question {
  prompt: string;
  source: Source;
  /** 1-based: which repetition of the question within its collect this is. */
  run: number;
  /** 1 for the first collect of the analysis. */
  collectNumber: number;
  thematic: string;
  topic: string;
  /** Who asks; null for no particular person. */
  persona: string | null;
  country: string;
  language: string;
  /** The workspace's catalog: what simulated answers are made from. Real providers never send it. */
  brands: readonly TrackedBrand[];
}

/** A provider's answer, with its body as it came. */
export interface ProviderAnswer extends Capture {
  rawBody: string;
  provider: string;
  /** As the provider names it, with its version; null where it does not say. */
  model: string | null;
  /** US dollars; null where the price is not known. */
  costUsd: number | null;
  /** Tokens that count against a limit per minute. */
  tokens: number;
  collectionMethod: CollectionMethod;
}

/** Bounds that one process keeps towards one provider; null is no bound. */
export interface ProviderLimits {
  concurrency: number;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  /** US dollars in a calendar month (UTC), over all processes. */
  spendCapUsd: number | null;
  timeoutMs: number;
}

/** A configured provider, ready to be asked. */
export interface Provider {
  /** Sources of one provider share its limits. */
  name: string;
  limits: ProviderLimits;
  method: CollectionMethod;
  /** Throws ProviderError. */
  ask(question: Question, options: { signal: AbortSignal }): Promise<ProviderAnswer>;
}

/** A source without a provider, and why: its jobs fail at once with this reason. */
export interface NoProvider {
  name: null;
  reason: string;
}

/** Which provider answers each source in this process. */
export type Sources = Readonly<Record<Source, Provider | NoProvider>>;

/** A question that was not answered. `message` is for people and never quotes what a provider sent. */
export class ProviderError extends Error {
  /** True where asking again later can help. */
  readonly retryable: boolean;
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ProviderError";
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}
