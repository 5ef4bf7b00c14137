import { type Column, jsonOf, unpackColumns } from "../packed-columns.ts";
import type { Way } from "./collect-facts.ts";

// What the answers of one collect and source say of brands, packed: what any metric of opinions is summed from in one pass.

/** A column for each question: how many answers were shown, and places in `ways` plus 1 (0 for several ways or none). */
export interface CollectPerception {
  answers: Column;
  wayOf: Column;
  ways: readonly Way[];
  /** By question and run: how much the keys of the answers are more than `firstKey`. Those of question q are from `keyStarts[q]`. */
  keyStarts: Column;
  keys: Column;
  firstKey: number;
  /** Brands that answers name; those of question q are `starts[q]` to `starts[q + 1]`, by run and then brand. */
  opinions: {
    starts: Column;
    runs: Column;
    brands: Column;
    /** Places in STANCES: 0 is the best. */
    stances: Column;
    /** How many. */
    pros: Column;
    cons: Column;
    /** 1 where clauses were judged, and not headings and columns alone. */
    judged: Column;
  };
  /** What answers hold for or against a brand, once for each answer and group; places in `groups`. */
  points: { starts: Column; runs: Column; groups: Column };
  groups: readonly PointGroup[];
  /** Brands preferred to others, once for each answer, pair and aspect; `aspects` are places in the list plus 1, 0 for none. */
  comparisons: { starts: Column; runs: Column; betters: Column; worses: Column; aspects: Column };
  aspects: readonly string[];
  /** What clauses say of attributes; `scores` are 0 to 10 for -5 to 5. */
  attributes: { starts: Column; runs: Column; brands: Column; attributes: Column; scores: Column };
  attributeNames: readonly string[];
  /** Language models that read answers besides the rules, with how many. */
  judges: readonly (readonly [judge: string, answers: number])[];
}

/** Pros or cons of a brand with one head noun, named by the commonest phrase. */
export interface PointGroup {
  brand: number;
  polarity: "pro" | "con";
  head: string;
  phrase: string;
  /** How often that phrase is said. */
  said: number;
}

/** The key of an answer, by its place among those to its question. */
export function answerKeyOf(
  { keyStarts, keys, firstKey }: CollectPerception,
  { question, run }: { question: number; run: number },
): number {
  return firstKey + (keys[(keyStarts[question] ?? 0) + run] ?? 0);
}

/** What `gatherPerception` packed. */
export function openPerception(packed: Uint8Array): CollectPerception {
  const { columns, text } = unpackColumns(packed);
  const left = [...columns];
  const next = () => {
    const column = left.shift();
    if (!column) throw new Error("packed opinions lack a column");
    return column;
  };
  const names = jsonOf(text) as Pick<
    CollectPerception,
    "ways" | "firstKey" | "groups" | "aspects" | "attributeNames" | "judges"
  >; // as it was packed
  return {
    answers: next(),
    wayOf: next(),
    keyStarts: next(),
    keys: next(),
    opinions: {
      starts: next(),
      runs: next(),
      brands: next(),
      stances: next(),
      pros: next(),
      cons: next(),
      judged: next(),
    },
    points: { starts: next(), runs: next(), groups: next() },
    comparisons: { starts: next(), runs: next(), betters: next(), worses: next(), aspects: next() },
    attributes: { starts: next(), runs: next(), brands: next(), attributes: next(), scores: next() },
    ...names,
  };
}

/** Rows of one answer, in columns by question and run. */
export interface AnswerRows {
  question: number;
  run: number;
  /** The first of them, and the one after the last. */
  from: number;
  to: number;
}

/** The answers that have rows in some columns of what answers say, in their order; of some questions, or of all. */
export function* answersIn(
  { starts, runs }: { starts: Column; runs: Column },
  questions: Iterable<number> = starts.keys(),
): Generator<AnswerRows> {
  for (const question of questions) {
    const end = starts[question + 1] ?? 0;
    for (let from = starts[question] ?? 0; from < end;) {
      const run = runs[from] ?? 0;
      let to = from + 1;
      while (to < end && runs[to] === run) to += 1;
      yield { question, run, from, to };
      from = to;
    }
  }
}
