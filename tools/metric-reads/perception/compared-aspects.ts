import {
  listAspects,
  findPreference,
  type BrandNumberPair,
  type PairPreference,
} from "../../../core/metrics/facts/preferences.ts";
import { iterateAnswers } from "../../../core/metrics/facts/collect-perception.ts";
import { removeInvisible } from "../../../core/shared/fields.ts";
import { createAspectNamer } from "../../../core/perception/attributes.ts";
import type { ComparisonRow } from "../../metrics/comparison-row.ts";
import { wantQuote, type listGroupPerceptions, type WantedQuote } from "./perception-quotations.ts";

export type AspectName = (aspect: string | null) => string | null;

const MAX_ASPECTS = 5;

export function createAspectNames(attributes: readonly string[]): AspectName {
  const nameOf = createAspectNamer(attributes);
  const known = new Map<string, string>();
  return (aspect) => {
    if (aspect === null) return null;
    const name = known.get(aspect) ?? removeInvisible(nameOf(aspect));
    known.set(aspect, name);
    return name;
  };
}

export function countAspects(
  all: ReturnType<typeof listGroupPerceptions>,
  pair: BrandNumberPair,
  nameOf: AspectName,
): Map<string | null, Record<PairPreference, number>> {
  const counts = new Map<string | null, Record<PairPreference, number>>();
  for (const { said, questions } of all) {
    const names = listAspects(said).map(nameOf);
    for (const answer of iterateAnswers(said.comparisons, questions)) {
      const places = Array.from(
        said.comparisons.aspects.slice(answer.from, answer.to),
        (place) => names[place] ?? null,
      );
      for (const name of new Set(places)) {
        const preference = findPreference(said, answer, pair, (place) => names[place] === name);
        if (!preference) continue;
        const own = counts.get(name) ?? { brand: 0, other: 0, both: 0 };
        own[preference] += 1;
        counts.set(name, own);
      }
    }
  }
  return counts;
}

export function listCommonestAspects(counts: ReturnType<typeof countAspects>): NonNullable<ComparisonRow["aspects"]> {
  return [...counts]
    .flatMap(([aspect, { brand, other, both }]) =>
      aspect === null ? [] : { aspect, wins: brand, losses: other, both },
    )
    .toSorted((a, b) => sumAnswers(b) - sumAnswers(a) || (a.aspect < b.aspect ? -1 : 1))
    .slice(0, MAX_ASPECTS);
}

function sumAnswers({ wins, losses, both }: { wins: number; losses: number; both: number }): number {
  return wins + losses + both;
}

interface PreferenceDetails {
  preferred: string;
  aspect: string | null;
}

/** `betters` and `worses` are brand numbers whose sentences count for each side. */
export function selectSentences(
  all: ReturnType<typeof listGroupPerceptions>,
  sides: readonly { name: string; pair: BrandNumberPair; betters: ReadonlySet<number>; worses: ReadonlySet<number> }[],
  counts: (aspect: string | null) => boolean,
): WantedQuote<PreferenceDetails>[] {
  const quotes = new Map<string, WantedQuote<PreferenceDetails>>();
  for (const { said, questions } of all) {
    if (quotes.size === sides.length) break;
    const isCounted = listAspects(said).map(counts);
    for (const answer of iterateAnswers(said.comparisons, questions)) {
      for (const { name, pair, betters, worses } of sides) {
        const preference = findPreference(said, answer, pair, (place) => isCounted[place] ?? false);
        if (quotes.has(name) || preference !== "brand") continue;
        quotes.set(
          name,
          wantQuote(said, answer, ({ comparisons }) => {
            const comparison = comparisons.find(
              (it) => betters.has(it.better) && worses.has(it.worse) && counts(it.aspect),
            );
            return (
              comparison && {
                preferred: name,
                aspect: comparison.aspect && removeInvisible(comparison.aspect),
                start: comparison.start,
                end: comparison.end,
              }
            );
          }),
        );
      }
    }
  }
  return [...quotes.values()];
}
