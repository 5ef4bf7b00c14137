import type { ProviderVariables } from "./provider-failures.ts";
import type { JobSource, CollectionMethod } from "./sources.ts";

/** How this process queries a source, with expected costs. */
export interface SourceAdapter {
  collection_method: CollectionMethod;
  /** False without a configured provider; its questions fail immediately and cost nothing. */
  isConfigured: boolean;
  /** Expected cost per question in US dollars; null if unknown. */
  usd_per_question: number | null;
  most_usd_per_question: number | null;
  /** Configuration of the provider; null without one. */
  provider: ProviderInfo | null;
}

/** Configuration of a provider without secrets. */
export interface ProviderInfo extends ProviderVariables {
  title: string;
  /** Model name; null for providers without a choice of model. */
  model: string | null;
  /** Spending limits; null for no limit. */
  limits: {
    concurrency: number;
    requestsPerMinute: number | null;
    tokensPerMinute: number | null;
    /** Max US dollars per calendar month (UTC). */
    spendCapUsd: number | null;
    /** Max US dollars per day (UTC). */
    dailyCapUsd: number | null;
  };
}

export type SourceAdapters = Record<JobSource, SourceAdapter>;
