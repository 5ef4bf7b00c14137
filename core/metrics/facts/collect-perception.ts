import { type Column, decodeJsonColumn, unpackColumns } from "../packed-columns.ts";
import type { CollectionWay } from "./collect-facts.ts";

// Opinions in the answers of one collect and source, packed so that one pass sums any metric.

/**
 * By question: number of shown answers, and index in `ways` plus 1 (0 for several ways or none).
 */
export interface CollectPerception {
  answers: Column;
  wayOf: Column;
  ways: readonly CollectionWay[];
  /**
   * By question and run: answer keys minus `firstKey`. Those of question q start at `keyStarts[q]`.
   */
  keyStarts: Column;
  keys: Column;
  firstKey: number;
  /**
   * Named brands; those of question q are rows `starts[q]` to `starts[q + 1]`, by run and then
   * brand.
   */
  opinions: {
    rowStarts: Column;
    runs: Column;
    brands: Column;
    /** Index in STANCES of each opinion; 0 is the best stance. */
    stances: Column;
    /** Numbers of pros and of cons in the answer. */
    pros: Column;
    cons: Column;
    /** 1 if clauses were judged, not only headings and columns. */
    judged: Column;
  };
  /** Pros and cons, one row per answer and group; indexes in `groups`. */
  points: { rowStarts: Column; runs: Column; groups: Column };
  groups: readonly PointGroup[];
  /** Preferences, one row per answer, pair and aspect; `aspects` has indexes plus 1, or 0. */
  comparisons: { rowStarts: Column; runs: Column; betters: Column; worses: Column; aspects: Column };
  aspects: readonly string[];
  /** Clause scores of attributes; 0 to 10 stands for -5 to 5. */
  attributes: { rowStarts: Column; runs: Column; brands: Column; attributes: Column; scores: Column };
  attributeNames: readonly string[];
  /** Language models that judged answers, with the number of answers. */
  judges: readonly (readonly [judge: string, answers: number])[];
}

/** Pros or cons of a brand with one head noun, labelled by the most frequent phrase. */
export interface PointGroup {
  brand: number;
  polarity: "pro" | "con";
  head: string;
  phrase: string;
  /** Number of times answers use the phrase. */
  said: number;
}

/** Key of an answer, by question and run. */
export function findAnswerKey(
  { keyStarts, keys, firstKey }: CollectPerception,
  { question, run }: { question: number; run: number },
): number {
  return firstKey + (keys[(keyStarts[question] ?? 0) + run] ?? 0);
}

/** Opens columns packed by `createPerceptionGatherer`. Throws if a column is missing. */
export function unpackPerception(packed: Uint8Array): CollectPerception {
  const { columns, text } = unpackColumns(packed);
  const left = [...columns];
  const next = () => {
    const column = left.shift();
    if (!column) throw new Error("packed opinions lack a column");
    return column;
  };
  const names = decodeJsonColumn(text) as Pick<
    CollectPerception,
    "ways" | "firstKey" | "groups" | "aspects" | "attributeNames" | "judges"
  >; // safe cast: createPerceptionGatherer packed the column
  return {
    answers: next(),
    wayOf: next(),
    keyStarts: next(),
    keys: next(),
    opinions: {
      rowStarts: next(),
      runs: next(),
      brands: next(),
      stances: next(),
      pros: next(),
      cons: next(),
      judged: next(),
    },
    points: { rowStarts: next(), runs: next(), groups: next() },
    comparisons: { rowStarts: next(), runs: next(), betters: next(), worses: next(), aspects: next() },
    attributes: { rowStarts: next(), runs: next(), brands: next(), attributes: next(), scores: next() },
    ...names,
  };
}

/** Rows of one answer in columns by question and run; `to` is exclusive. */
export interface AnswerRows {
  question: number;
  run: number;
  from: number;
  to: number;
}

/** Iterates over answers with rows, in order; by default over all questions. */
export function* iterateAnswers(
  { rowStarts, runs }: { rowStarts: Column; runs: Column },
  questions: Iterable<number> = rowStarts.keys(),
): Generator<AnswerRows> {
  for (const question of questions) {
    const end = rowStarts[question + 1] ?? 0;
    for (let from = rowStarts[question] ?? 0; from < end;) {
      const run = runs[from] ?? 0;
      let to = from + 1;
      while (to < end && runs[to] === run) to += 1;
      yield { question, run, from, to };
      from = to;
    }
  }
}
