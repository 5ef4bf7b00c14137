import type { CollectionMethod, Source } from "../../sources/sources.ts";
import {
  decodeJsonColumn,
  packColumns,
  rowStarts,
  unpackColumns,
  toIntegerColumn,
  type Column,
} from "../packed-columns.ts";

/** `keyword` is a position, `brand` a number. */
export interface FactRow {
  keyword: number;
  /** Index among the shown answers to the keyword, in run order. */
  runIndex: number;
  brand: number;
  rank: number;
  brandRank: number;
  mentions: number;
}

export interface CitedRow {
  keyword: number;
  /** Index among the shown answers to the keyword, in run order. */
  runIndex: number;
  brand: number;
}

/** Only answers with equal method and model are compared. */
export interface CollectionWay {
  method: CollectionMethod;
  model: string | null;
}

export interface KeywordAnswers {
  /** Answers shown, the denominator of rates. */
  answers: number;
  notShown: number;
  /** Answers that name a tracked brand or link to a known domain. */
  informativeCount: number;
  /** Null for several ways or no answer. */
  way: CollectionWay | null;
}

/** Rows of keyword k are `rowStarts[k]` to `rowStarts[k + 1]`, by run and then brand. */
export interface CollectFacts {
  rowStarts: Column;
  answers: Column;
  notShown: Column;
  informative: Column;
  /** 1 if the keyword names the own brand of the analysis. */
  namesOwn: Column;
  /** Index in `ways` plus 1; 0 for several ways or none. */
  wayOf: Column;
  runIndexes: Column;
  brands: Column;
  ranks: Column;
  brandRanks: Column;
  mentions: Column;
  /** One row per answer and brand, by run; rows of keyword k start at `citedStarts[k]`. */
  citedStarts: Column;
  citedRuns: Column;
  citedBrands: Column;
  lastBrand: number;
  /** Ways as JSON bytes; `decodeWays` parses them. */
  ways: Uint8Array;
}

/** For keywords that were not sent. */
export function createKeywordAnswers(): KeywordAnswers {
  return { answers: 0, notShown: 0, informativeCount: 0, way: null };
}

/** `wayOf` has indexes plus 1; 0 for several ways or none. */
export function indexProvenances(keywords: readonly KeywordAnswers[]): { provenances: CollectionWay[]; wayOf: Column } {
  const provenances: CollectionWay[] = [];
  const indexes = new Map<string, number>();
  const wayOf = keywords.map(({ way }) => {
    if (way === null) return 0;
    const key = JSON.stringify([way.method, way.model]);
    const index = indexes.get(key) ?? provenances.push(way);
    indexes.set(key, index);
    return index;
  });
  return { provenances, wayOf: toIntegerColumn(wayOf) };
}

/** Each brand may have at most one rank per answer. */
export function packFacts(
  keywords: readonly KeywordAnswers[],
  rows: readonly FactRow[],
  more: { namesOwn?: readonly boolean[]; cited?: readonly CitedRow[] } = {},
): Buffer {
  const { namesOwn = [], cited = [] } = more;
  const { provenances, wayOf } = indexProvenances(keywords);
  const sorted = rows.toSorted((a, b) => a.keyword - b.keyword || a.runIndex - b.runIndex || a.brand - b.brand);
  const citedRows = cited.toSorted((a, b) => a.keyword - b.keyword || a.runIndex - b.runIndex || a.brand - b.brand);
  const columns = [
    rowStarts(keywords.length, sorted),
    toIntegerColumn(keywords.map(({ answers }) => answers)),
    toIntegerColumn(keywords.map(({ notShown }) => notShown)),
    toIntegerColumn(keywords.map(({ informativeCount }) => informativeCount)),
    toIntegerColumn(keywords.map((_, keyword) => (namesOwn[keyword] ? 1 : 0))),
    wayOf,
    toIntegerColumn(sorted.map(({ runIndex }) => runIndex)),
    toIntegerColumn(sorted.map(({ brand }) => brand)),
    toIntegerColumn(sorted.map(({ rank }) => rank)),
    toIntegerColumn(sorted.map(({ brandRank }) => brandRank)),
    toIntegerColumn(sorted.map(({ mentions }) => mentions)),
    rowStarts(keywords.length, citedRows),
    toIntegerColumn(citedRows.map(({ brand }) => brand)),
    toIntegerColumn(citedRows.map(({ runIndex }) => runIndex)),
  ];
  return packColumns(columns, JSON.stringify(provenances));
}

export function unpackFacts(packed: Uint8Array): CollectFacts {
  const { columns, text } = unpackColumns(packed);
  const [
    starts,
    answers,
    notShown,
    informative,
    namesOwn,
    wayOf,
    runIndexes,
    brands,
    ranks,
    brandRanks,
    mentions,
    ...cited
  ] = columns;
  const [citedStarts, citedBrands, runsOfCited] = cited;
  if (!starts || !answers || !notShown || !informative || !namesOwn || !wayOf) throw createMissingColumnError();
  if (!runIndexes || !brands || !ranks || !brandRanks || !mentions || !citedStarts || !citedBrands)
    throw createMissingColumnError();
  const byKeyword = { rowStarts: starts, answers, notShown, informative, namesOwn, wayOf };
  const byPlace = { runIndexes, brands, ranks, brandRanks, mentions };
  const lastBrand = Math.max(findLargestValue(brands), findLargestValue(citedBrands));
  const citedRuns = runsOfCited ?? assumeFirstRuns(citedStarts, citedBrands);
  return { ...byKeyword, ...byPlace, citedStarts, citedRuns, citedBrands, lastBrand, ways: text };
}

/** Old facts lack runs of citations: assumes that the first answers to a keyword cite the brand. */
function assumeFirstRuns(citedStarts: Column, citedBrands: Column): Column {
  const runs = new Uint32Array(citedBrands.length);
  for (let keyword = 0; keyword + 1 < citedStarts.length; keyword += 1) {
    for (let at = (citedStarts[keyword] ?? 0) + 1; at < (citedStarts[keyword + 1] ?? 0); at += 1) {
      if (citedBrands[at] === citedBrands[at - 1]) runs[at] = (runs[at - 1] ?? 0) + 1;
    }
  }
  return runs;
}

function findLargestValue(column: Column): number {
  let largest = 0;
  for (let at = 0; at < column.length; at += 1) largest = Math.max(largest, column[at] ?? 0);
  return largest;
}

export function decodeWays({ ways }: CollectFacts): CollectionWay[] {
  return decodeJsonColumn(ways) as CollectionWay[]; // safe cast: packFacts wrote the column
}

function createMissingColumnError(): Error {
  return new Error("packed facts lack a column");
}

export function addShownAnswer(answers: readonly KeywordAnswers[], question: number, { method, model }: CollectionWay) {
  const own = answers[question];
  if (!own) throw new Error("an answer to a prompt outside its analysis");
  if (own.answers === 0) own.way = { method, model };
  else if (own.way?.method !== method || own.way.model !== model) own.way = null;
  own.answers += 1;
  return own.answers - 1;
}

/** One entry per source and collection method, created by `begin` on first use. */
export function createSourceMap<Own>(begin: (of: { source: Source; method: CollectionMethod }) => Own) {
  const sources = new Map<string, Own>();
  return {
    all: () => [...sources.values()],
    at(source: Source, method: CollectionMethod): Own {
      const key = `${source} ${method}`;
      const own = sources.get(key) ?? begin({ source, method });
      sources.set(key, own);
      return own;
    },
  };
}
