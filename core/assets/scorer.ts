import type { AssetClass, AssetType } from "./assets.ts";

export interface Criteria {
  category: string;
  attributes: readonly string[];
  /** Names of the brand that the assets speak for; none if no brand is named. */
  brandNames: readonly string[];
  language: string;
}

export interface Judged {
  type: AssetType;
  mediaType: string;
  /** Empty for what has none. */
  text: string;
  /** The bytes of the file, for a scorer that looks at pictures; undefined if they are not kept. */
  bytes: (() => AsyncIterable<Uint8Array>) | undefined;
  sizeBytes: number;
}

/** A part of the asset's text: `text` is exactly what stands from `start` to `end` (UTF-16 code units). */
export interface Quote {
  text: string;
  start: number;
  end: number;
}

/** One judgement, 0 to 100, with what it rests on. */
export interface Mark {
  score: number;
  explanation: string;
  quotes: Quote[];
}

export type AttributeMark =
  | ({ attribute: string; status: "judged" } & Mark)
  | { attribute: string; status: "not_judged"; reason: string };

export type Judgement =
  | { kind: "judged"; overall: Mark; attributes: AttributeMark[]; droppedQuotes: number }
  | { kind: "not_judged"; reason: string };

/** Judges assets. Throws ScorerError if it could not. */
export interface AssetScorer {
  /** Name of the judge, stored with every score. */
  name: string;
  /** The asset classes it can judge; others get `not_judged`. */
  judges: readonly AssetClass[];
  /** True if a third party charges for it. */
  isPaid: boolean;
  score(asset: Judged, criteria: Criteria, options: { signal: AbortSignal }): Promise<Judgement>;
}

/** A failed judgement. `message` is for people and never quotes what was sent or received. */
export class ScorerError extends Error {
  override name = "ScorerError";
}
