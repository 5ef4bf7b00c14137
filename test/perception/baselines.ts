import vader from "vader-sentiment";
import winkSentiment from "wink-sentiment";
import type { Mention } from "../../core/reading/capture.ts";
import { findMentions } from "../../core/reading/find-mentions.ts";
import { labelledCatalog } from "../measurement/truth.ts";
import type { DeclaredFact } from "./facts.ts";
import type { PerceptionReading, ReadClaim, ReadPreference, ReadSpan } from "./perception-reading.ts";
import type { IdentifiedAnswer } from "./recorded.ts";
import type { Stance } from "./units.ts";
import { sentencesOf, type Stretch } from "./windows.ts";

/** Baselines that extraction must beat. */
export const BASELINES: readonly PerceptionReading[] = [
  { name: "always recommended", stance: () => "recommended" },
  ofSentiment(
    "VADER by sentence",
    sentencesIn,
    (text) => vader.SentimentIntensityAnalyzer.polarity_scores(text).compound,
    0.05,
  ),
  ofSentiment("wink by clause", clausesIn, (text) => winkSentiment(text).score, 1),
  { name: "first named wins", comparisons: firstNamedWins },
  { name: "first figure", claim: firstFigure },
];

/** Assigns text spans a sentiment from `least` on, for the brand named last. */
function ofSentiment(
  name: string,
  stretchesOf: (text: string) => Stretch[],
  scoreOf: (text: string) => number,
  least: number,
): PerceptionReading {
  const signOf = (text: string, { start, end }: Stretch): number => {
    const score = scoreOf(text.slice(start, end));
    return Math.abs(score) < least ? 0 : Math.sign(score);
  };
  return {
    name,
    stance({ text }, mention): Stance {
      const own = stretchesOf(text).find(({ start, end }) => start <= mention.start && mention.start < end);
      const sign = own ? signOf(text, own) : 0;
      if (sign === 0) return "mentioned";
      return sign > 0 ? "recommended" : "caveated";
    },
    prosAndCons(answer): ReadSpan[] {
      const mentions = mentionsOf(answer);
      return stretchesOf(answer.text).flatMap((stretch) => {
        const sign = signOf(answer.text, stretch);
        const subject = mentions.findLast(({ start }) => start < stretch.end);
        if (sign === 0 || !subject) return [];
        return [{ ...stretch, brandId: subject.brand_id, polarity: sign > 0 ? "pro" : "con" } as const];
      });
    },
  };
}

const catalog = labelledCatalog();
const known = new Map<string, Mention[]>();

function mentionsOf({ id, text, prompt }: IdentifiedAnswer): Mention[] {
  const mentions = known.get(id) ?? findMentions(text, catalog, prompt);
  known.set(id, mentions);
  return mentions;
}

function sentencesIn(text: string): Stretch[] {
  return sentencesOf(text, { start: 0, end: text.length });
}

function clausesIn(text: string): Stretch[] {
  return sentencesIn(text).flatMap(({ start, end }) => {
    const clauses: Stretch[] = [];
    let from = start;
    for (const gap of text.slice(start, end).matchAll(/[,;:—–]\s*|\s(?:but|although|though|while|however|yet)\s/gi)) {
      clauses.push({ start: from, end: start + gap.index });
      from = start + gap.index + gap[0].length;
    }
    clauses.push({ start: from, end });
    return clauses.filter((clause) => clause.end > clause.start);
  });
}

/** In a comparing sentence, the first of two brands wins. */
function firstNamedWins(answer: IdentifiedAnswer): ReadPreference[] {
  const mentions = mentionsOf(answer);
  return sentencesIn(answer.text).flatMap(({ start, end }) => {
    if (!/\b(?:than|vs\.?|compared (?:to|with)|beats?|match)\b/i.test(answer.text.slice(start, end))) return [];
    const named = mentions.filter((mention) => mention.start >= start && mention.start < end);
    const [better, worse] = new Set(named.map(({ brand_id }) => brand_id));
    return better === undefined || worse === undefined ? [] : [{ start, end, better, worse, aspect: null }];
  });
}

const NONE: ReadClaim = { verdict: "not_mentioned", start: 0, end: 0 };

/**
 * The first figure with the fact's unit after the product's name is its value; a feature is there
 * if its words are.
 */
function firstFigure({ text }: IdentifiedAnswer, fact: DeclaredFact): ReadClaim {
  const name = fact.names.find((one) => text.includes(one));
  if (name === undefined) return NONE;
  const start = text.indexOf(name);
  const after = text.slice(start, start + 300);
  const said = fact.unit === null ? wordsIn(after, fact.attribute) : figureIn(after.slice(name.length), fact.unit);
  if (said === undefined) return NONE;
  return { verdict: said === fact.value ? "agreed" : "contradicted", start, end: start + after.length };
}

function wordsIn(text: string, attribute: string): true | undefined {
  return text.toLowerCase().includes(attribute.toLowerCase()) ? true : undefined;
}

function figureIn(text: string, unit: string): number | undefined {
  const written = unit === "USD" ? /\$([\d,.]+)/ : new RegExp(`([\\d,.]+)[\\s-]?${unit}`, "i");
  const figure = written.exec(text)?.[1];
  return figure === undefined ? undefined : Number(figure.replaceAll(",", ""));
}
