import type { ProviderVariables } from "./provider-failures.ts";
import type { AskedSource } from "./asked-sources.ts";
import type { CollectionMethod } from "./sources.ts";

/** How this process asks one source: what a person must know before paying for it. */
export interface SourceAdapter {
  collection_method: CollectionMethod;
  /** False if the source has no adapter here; its questions fail at once and cost nothing. */
  configured: boolean;
  /** What the provider is expected to charge for one question, US dollars; null if that is not known. */
  usd_per_question: number | null;
  /** The most that it can charge for one. */
  most_usd_per_question: number | null;
  /** Who is asked; null where it has none. */
  provider: AskedProvider | null;
}

/** What the operator configured of a provider, without its secrets. */
export interface AskedProvider extends ProviderVariables {
  title: string;
  /** What it is asked for; null where it is no model, or has none to choose. */
  model: string | null;
  /** Null is no bound. */
  limits: {
    concurrency: number;
    requestsPerMinute: number | null;
    tokensPerMinute: number | null;
    /** US dollars in a calendar month (UTC). */
    spendCapUsd: number | null;
    /** The same in a day. */
    dailyCapUsd: number | null;
  };
}

export type SourceAdapters = Record<AskedSource, SourceAdapter>;
