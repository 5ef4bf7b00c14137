import type { Stretch } from "./windows.ts";

export type Part = "open" | "held-out";
export type Stance = "winner" | "recommended" | "caveated" | "mentioned" | "discouraged";
export type Polarity = "pro" | "con";
export type Verdict = "agreed" | "contradicted" | "not_mentioned";

export interface MarkedSpan extends Stretch {
  brand: string;
  polarity: Polarity;
}

/** The aspect is the place of the words that name it. */
export interface Preference {
  better: string;
  worse: string;
  aspect: Stretch | null;
}

/** The offsets are those of the deciding sentence, if any. */
export interface ClaimLabel {
  verdict: Verdict;
  start?: number;
  end?: number;
}

interface Drawn extends Stretch {
  id: string;
  part: Part;
  answer: string;
  /** Hash of the text between start and end, to detect a changed answer. */
  hash: string;
}

/** A brand mention with the window in which it is read. */
export interface StanceUnit extends Drawn {
  kind: "stance";
  brand: string;
  window: Stretch;
}

/**
 * A window in which the pros and cons of every tracked brand are marked. `brand` is the first that
 * it names.
 */
export interface ProsAndConsUnit extends Drawn {
  kind: "pros_and_cons";
  brand: string;
}

/** A sentence, with its window, in which comparisons between tracked brands are marked. */
export interface ComparisonUnit extends Drawn {
  kind: "comparison";
  window: Stretch;
}

/** A declared fact against a whole answer. */
export interface ClaimUnit extends Drawn {
  kind: "claim";
  brand: string;
  fact: string;
}

export type Unit = StanceUnit | ProsAndConsUnit | ComparisonUnit | ClaimUnit;

/** Cause of a disagreement: an annotator's slip, a gap in the guide, or an ambiguous text. */
export type Disagreement = "slip" | "guide" | "text";

/** Both annotators' labels and the adjudicated label. */
type Labelled<U, L> = U & { label: L; first: L; second: L; why?: Disagreement };

export type LabelledUnit =
  | Labelled<StanceUnit, Stance>
  | Labelled<ProsAndConsUnit, MarkedSpan[]>
  | Labelled<ComparisonUnit, Preference[]>
  | Labelled<ClaimUnit, ClaimLabel>;

export type UnitOf<K extends Unit["kind"]> = Extract<LabelledUnit, { kind: K }>;
