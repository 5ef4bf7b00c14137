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

/** The place is that of the sentence that decides, where one does. */
export interface ClaimLabel {
  verdict: Verdict;
  start?: number;
  end?: number;
}

interface Drawn extends Stretch {
  id: string;
  part: Part;
  answer: string;
  /** Of the text between start and end, to notice when it is another. */
  hash: string;
}

/** A mention of a brand, in the window that it is read in. */
export interface StanceUnit extends Drawn {
  kind: "stance";
  brand: string;
  window: Stretch;
}

/** A window in which the pros and cons of every tracked brand are marked. `brand` is the first that it names. */
export interface ProsAndConsUnit extends Drawn {
  kind: "pros_and_cons";
  brand: string;
}

/** A sentence in which comparisons of tracked brands are marked, in the window that it is read in. */
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

/** Why two annotators differed: one overlooked something, or the guide left it open, or the text does. */
export type Disagreement = "slip" | "guide" | "text";

/** What both annotators said, and what was decided. */
type Labelled<U, L> = U & { label: L; first: L; second: L; why?: Disagreement };

export type LabelledUnit =
  | Labelled<StanceUnit, Stance>
  | Labelled<ProsAndConsUnit, MarkedSpan[]>
  | Labelled<ComparisonUnit, Preference[]>
  | Labelled<ClaimUnit, ClaimLabel>;

export type UnitOf<K extends Unit["kind"]> = Extract<LabelledUnit, { kind: K }>;
