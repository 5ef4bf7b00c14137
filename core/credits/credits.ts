/**
 * Movements of credits. `grant` adds to what is available; `reserve` moves from available to reserved when something is
 * created; `spend` takes from reserved for answers that succeeded; `release` gives back what was reserved and not spent.
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
