import type { DeclaredFact } from "./facts.ts";
import type { IdentifiedAnswer } from "./recorded.ts";
import type { Polarity, Stance, Verdict } from "./units.ts";
import type { Stretch } from "./windows.ts";

export interface ReadSpan extends Stretch {
  brandId: string;
  polarity: Polarity;
}

/** The place is the sentence that compares. */
export interface ReadPreference extends Stretch {
  better: string;
  worse: string;
  aspect: string | null;
}

/** The offsets are those of the deciding sentence; 0 to 0 when no sentence decides. */
export interface ReadClaim extends Stretch {
  verdict: Verdict;
}

/**
 * A perception reading under evaluation, or a baseline, which may skip tasks.
 * Offsets are code units of the answer's text, end exclusive.
 */
export interface PerceptionReading {
  name: string;
  stance?(answer: IdentifiedAnswer, mention: Stretch & { brandId: string }): Stance;
  prosAndCons?(answer: IdentifiedAnswer): ReadSpan[];
  comparisons?(answer: IdentifiedAnswer): ReadPreference[];
  claim?(answer: IdentifiedAnswer, fact: DeclaredFact): ReadClaim;
}
