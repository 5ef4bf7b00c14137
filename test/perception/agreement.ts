import { unitsOf } from "./labels.ts";
import { type Counts, type Tally, computeScore } from "./scores.ts";
import { POLARITIES, preferenceCounts, PREFERS, spanCounts, toneOf } from "./tasks.ts";
import type { Disagreement, LabelledUnit, Stance } from "./units.ts";

export interface Agreement {
  what: string;
  units: number;
  /** Share of equal labels for units with one label. */
  equal?: number;
  figure: "kappa" | "F1";
  value: number;
}

/** Cohen's kappa (1960) of two annotators' labels of the same units. */
export function kappaOf(pairs: readonly (readonly [string, string])[]): number {
  const share = (count: number): number => count / pairs.length;
  const labels = new Set(pairs.flat());
  const observed = share(pairs.filter(([one, other]) => one === other).length);
  let byChance = 0;
  for (const label of labels) {
    const one = share(pairs.filter(([first]) => first === label).length);
    byChance += one * share(pairs.filter(([, second]) => second === label).length);
  }
  return byChance === 1 ? 1 : (observed - byChance) / (1 - byChance);
}

/** How far the two annotators agree, before anything was decided. */
export function agreements(units: readonly LabelledUnit[]): Agreement[] {
  const stances = unitsOf(units, "stance").map(({ first, second }): [Stance, Stance] => [first, second]);
  const tones = stances.map(([one, other]): [string, string] => [toneOf(one), toneOf(other)]);
  const verdicts = unitsOf(units, "claim").map(({ first, second }): [string, string] => [
    first.verdict,
    second.verdict,
  ]);
  const spans = unitsOf(units, "pros_and_cons").map(({ answer, first, second }) => ({
    answer,
    counts: spanCounts(first, second),
  }));
  const pairs = unitsOf(units, "comparison").map(({ answer, first, second }) => ({
    answer,
    counts: preferenceCounts(first, second),
  }));
  return [
    ofLabels("stance, five labels", stances),
    ofLabels("stance, three classes", tones),
    ofLabels("claims", verdicts),
    ofTallies("pros and cons, relaxed", spans, POLARITIES),
    ofTallies("comparisons, directed pairs", pairs, PREFERS),
  ];
}

function ofLabels(what: string, pairs: readonly (readonly [string, string])[]): Agreement {
  const equal = pairs.filter(([one, other]) => one === other).length / pairs.length;
  return { what, units: pairs.length, equal, figure: "kappa", value: kappaOf(pairs) };
}

/** F1 between two annotators over all classes, equal in both directions. */
function ofTallies(what: string, tallies: readonly Tally[], classes: readonly string[]): Agreement {
  const all = tallies.map(({ answer, counts }): Tally => ({
    answer,
    counts: new Map([["all", sumOf(counts, classes)]]),
  }));
  return { what, units: tallies.length, figure: "F1", value: computeScore(all, ["all"]).f1 };
}

function sumOf(counts: ReadonlyMap<string, Counts>, classes: readonly string[]): Counts {
  const sum = { found: 0, right: 0, there: 0 };
  for (const name of classes) {
    const { found, right, there } = counts.get(name) ?? { found: 0, right: 0, there: 0 };
    sum.found += found;
    sum.right += right;
    sum.there += there;
  }
  return sum;
}

/** How many disagreements were decided, by why the annotators differed. */
export function countDecided(units: readonly LabelledUnit[]): Map<Disagreement, number> {
  const counts = new Map<Disagreement, number>();
  for (const { why } of units) if (why) counts.set(why, (counts.get(why) ?? 0) + 1);
  return counts;
}
