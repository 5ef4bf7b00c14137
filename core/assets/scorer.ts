import type { AssetClass, AssetType } from "./assets.ts";

export interface Criteria {
  category: string;
  attributes: readonly string[];
  /** Names of the assets' brand; empty without a brand. */
  brandNames: readonly string[];
  language: string;
}

export interface ScorableAsset {
  type: AssetType;
  mediaType: string;
  /** Empty for assets without text. */
  text: string;
  /** Bytes of the file for scorers that view images; undefined if not stored. */
  bytes: (() => AsyncIterable<Uint8Array>) | undefined;
  sizeBytes: number;
}

/** Excerpt of the asset's text from `start` to `end` (UTF-16 code units). */
export interface Quote {
  text: string;
  start: number;
  end: number;
}

export interface ScoreResult {
  score: number;
  explanation: string;
  quotes: Quote[];
}

export type AttributeScore =
  | ({ attribute: string; status: "judged" } & ScoreResult)
  | { attribute: string; status: "not_judged"; reason: string };

export type ScoringResult =
  | { kind: "judged"; overall: ScoreResult; attributes: AttributeScore[]; droppedQuotes: number }
  | { kind: "not_judged"; reason: string };

/** Scores assets. Throws ScorerError on failure. */
export interface AssetScorer {
  /** Name stored with each score. */
  name: string;
  /** Supported asset classes; assets of other classes get `not_judged`. */
  judges: readonly AssetClass[];
  /** True if a third party charges for it. */
  isPaid: boolean;
  score(asset: ScorableAsset, criteria: Criteria, options: { signal: AbortSignal }): Promise<ScoringResult>;
}

/** A failed scoring. `message` is for users and never quotes input or responses. */
export class ScorerError extends Error {
  override name = "ScorerError";
}
