import type { Capture, TrackedBrand } from "../../../core/reading/capture.ts";
import type { CollectionMethod, Source } from "../../../core/sources.ts";

/** One question as a channel asks it. */
export interface Question {
  prompt: string;
  source: Source;
  /** 1-based: the how-manieth time this collect asks this. */
  run: number;
  /** 1 for the first collect of the analysis. */
  collectNumber: number;
  thematic: string;
  topic: string;
  /** Who asks; null where nobody in particular does. */
  persona: string | null;
  country: string;
  language: string;
  /** The workspace's catalog: what simulated channels make their answers from. Real ones never send it. */
  brands: readonly TrackedBrand[];
}

/** What a channel brought back, with the provider's body as it came. */
export interface ChannelAnswer extends Capture {
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

export interface Channel {
  /** Channels of one provider share its limits. */
  provider: string;
  limits: ProviderLimits;
  collectionMethod: CollectionMethod;
  /** Throws ChannelError. */
  ask(question: Question, options: { signal: AbortSignal }): Promise<ChannelAnswer>;
}

/** A source that nobody answers here, and why: its jobs fail at once with this reason. */
export interface NoChannel {
  provider: null;
  reason: string;
}

export type Channels = Readonly<Record<Source, Channel | NoChannel>>;

/** A question that was not answered. `message` is for people and never quotes what a provider sent. */
export class ChannelError extends Error {
  /** True where asking again later can help. */
  readonly retryable: boolean;
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ChannelError";
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}
