/**
 * Ledger entries. `grant` adds to available credits; `reserve` moves available to reserved credits
 * on creation; `spend` takes reserved credits for successful answers; `release` returns unspent
 * reserved credits.
 */
export const LEDGER_KINDS = ["grant", "reserve", "spend", "release"] as const;

export const QUOTE_KINDS = [
  "search_analysis",
  "brand_analysis",
  "geo_audit",
  "asset_evaluation",
  "asset_evaluation_rerun",
  "collect",
  "setup_change",
] as const;
export type QuoteKind = (typeof QUOTE_KINDS)[number];

export const QUOTE_LIFETIME_MS = 15 * 60_000;
