import { type Column, decodeJsonColumn, unpackColumns } from "../packed-columns.ts";
import type { CollectionWay } from "./collect-facts.ts";

// Opinions in the answers of one collect and source, packed so that one pass sums any metric.

/** `wayOf` has indexes in `ways` plus 1; 0 for several ways or none. */
export interface CollectPerception {
  answers: Column;
  wayOf: Column;
  ways: readonly CollectionWay[];
  /** Answer keys minus `firstKey`, by run; those of question q start at `keyStarts[q]`. */
  keyStarts: Column;
  keys: Column;
  firstKey: number;
  /** Named brands by run, then brand; rows of question q start at `rowStarts[q]`. */
  opinions: {
    rowStarts: Column;
    runIndexes: Column;
    brands: Column;
    /** Index in STANCES of each opinion; 0 is the best stance. */
    stanceIndexes: Column;
    proCounts: Column;
    conCounts: Column;
    /** 1 if clauses were judged, not only headings and columns. */
    judgedFlags: Column;
  };
  /** One row per answer and group. */
  points: { rowStarts: Column; runIndexes: Column; groupIndexes: Column };
  groups: readonly PointGroup[];
  /** One row per answer, pair and aspect; `aspects` has indexes plus 1, or 0. */
  comparisons: { rowStarts: Column; runIndexes: Column; betterBrands: Column; worseBrands: Column; aspects: Column };
  aspects: readonly string[];
  /** Clause scores of attributes; 0 to 10 stands for -5 to 5. */
  attributes: { rowStarts: Column; runIndexes: Column; brands: Column; attributes: Column; scores: Column };
  attributeNames: readonly string[];
  judges: readonly (readonly [judge: string, answers: number])[];
}

/** Pros or cons with one head noun, labelled by the most frequent phrase. */
export interface PointGroup {
  brand: number;
  polarity: "pro" | "con";
  head: string;
  phrase: string;
  said: number;
}

export function findAnswerKey(
  { keyStarts, keys, firstKey }: CollectPerception,
  { question, runIndex }: { question: number; runIndex: number },
): number {
  return firstKey + (keys[(keyStarts[question] ?? 0) + runIndex] ?? 0);
}

/** Throws if a column is missing. */
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
      runIndexes: next(),
      brands: next(),
      stanceIndexes: next(),
      proCounts: next(),
      conCounts: next(),
      judgedFlags: next(),
    },
    points: { rowStarts: next(), runIndexes: next(), groupIndexes: next() },
    comparisons: { rowStarts: next(), runIndexes: next(), betterBrands: next(), worseBrands: next(), aspects: next() },
    attributes: { rowStarts: next(), runIndexes: next(), brands: next(), attributes: next(), scores: next() },
    ...names,
  };
}

/** Rows of one answer in columns by question and run; `to` is exclusive. */
export interface AnswerRows {
  question: number;
  runIndex: number;
  from: number;
  to: number;
}

/** Skips answers without rows. */
export function* iterateAnswers(
  { rowStarts, runIndexes }: { rowStarts: Column; runIndexes: Column },
  questions: Iterable<number> = rowStarts.keys(),
): Generator<AnswerRows> {
  for (const question of questions) {
    const end = rowStarts[question + 1] ?? 0;
    for (let from = rowStarts[question] ?? 0; from < end;) {
      const runIndex = runIndexes[from] ?? 0;
      let to = from + 1;
      while (to < end && runIndexes[to] === runIndex) to += 1;
      yield { question, runIndex, from, to };
      from = to;
    }
  }
}
