import type { CollectionMethod, Source } from "./sources.ts";

/** How this process asks one source: what a person must know before paying for it. */
export interface SourceAdapter {
  collection_method: CollectionMethod;
  /** False if the source has no adapter here; its questions fail at once and cost nothing. */
  configured: boolean;
  /** What the provider is expected to charge for one question, US dollars; null if that is not known. */
  usd_per_question: number | null;
}

export type SourceAdapters = Record<Source, SourceAdapter>;
