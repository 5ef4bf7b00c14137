import { aspectsOf, preferenceIn, type Pair, type Preference } from "../../../core/metrics/facts/preferences.ts";
import { answersIn } from "../../../core/metrics/facts/collect-perception.ts";
import { withoutInvisible } from "../../../core/shared/fields.ts";
import { aspectNamer } from "../../../core/perception/attributes.ts";
import type { ComparisonRow } from "../../metrics/comparison-row.ts";
import { wantedOf, type saidIn, type Wanted } from "./said-quotations.ts";

export type AspectName = (aspect: string | null) => string | null;

const MOST_ASPECTS = 5;

/** Names aspects by the attributes of an analysis, memoised. */
export function aspectNames(attributes: readonly string[]): AspectName {
  const nameOf = aspectNamer(attributes);
  const known = new Map<string, string>();
  return (aspect) => {
    if (aspect === null) return null;
    const name = known.get(aspect) ?? withoutInvisible(nameOf(aspect));
    known.set(aspect, name);
    return name;
  };
}

export function countAspects(
  all: ReturnType<typeof saidIn>,
  pair: Pair,
  nameOf: AspectName,
): Map<string | null, Record<Preference, number>> {
  const counts = new Map<string | null, Record<Preference, number>>();
  for (const { said, questions } of all) {
    const names = aspectsOf(said).map(nameOf);
    for (const answer of answersIn(said.comparisons, questions)) {
      const places = Array.from(
        said.comparisons.aspects.slice(answer.from, answer.to),
        (place) => names[place] ?? null,
      );
      for (const name of new Set(places)) {
        const preference = preferenceIn(said, answer, pair, (place) => names[place] === name);
        if (!preference) continue;
        const own = counts.get(name) ?? { brand: 0, other: 0, both: 0 };
        own[preference] += 1;
        counts.set(name, own);
      }
    }
  }
  return counts;
}

export function commonestAspects(counts: ReturnType<typeof countAspects>): NonNullable<ComparisonRow["aspects"]> {
  return [...counts]
    .flatMap(([aspect, { brand, other, both }]) =>
      aspect === null ? [] : { aspect, wins: brand, losses: other, both },
    )
    .toSorted((a, b) => answersOf(b) - answersOf(a) || (a.aspect < b.aspect ? -1 : 1))
    .slice(0, MOST_ASPECTS);
}

function answersOf({ wins, losses, both }: { wins: number; losses: number; both: number }): number {
  return wins + losses + both;
}

interface Preferred {
  preferred: string;
  aspect: string | null;
}

/** `betters` and `worses` are brand numbers whose sentences count for each side. */
export function sentencesOf(
  all: ReturnType<typeof saidIn>,
  sides: readonly { name: string; pair: Pair; betters: ReadonlySet<number>; worses: ReadonlySet<number> }[],
  counts: (aspect: string | null) => boolean,
): Wanted<Preferred>[] {
  const found = new Map<string, Wanted<Preferred>>();
  for (const { said, questions } of all) {
    if (found.size === sides.length) break;
    const isCounted = aspectsOf(said).map(counts);
    for (const answer of answersIn(said.comparisons, questions)) {
      for (const { name, pair, betters, worses } of sides) {
        const preference = preferenceIn(said, answer, pair, (place) => isCounted[place] ?? false);
        if (found.has(name) || preference === undefined || preference === "other") continue;
        found.set(
          name,
          wantedOf(said, answer, ({ comparisons }) => {
            const one = comparisons.find((it) => betters.has(it.better) && worses.has(it.worse) && counts(it.aspect));
            return (
              one && {
                preferred: name,
                aspect: one.aspect && withoutInvisible(one.aspect),
                start: one.start,
                end: one.end,
              }
            );
          }),
        );
      }
    }
  }
  return [...found.values()];
}
