import { STANCES, type Stance } from "../../reading/capture.ts";
import type { CollectionMethod, Source } from "../../sources/sources.ts";
import {
  addShownAnswer,
  createKeywordAnswers,
  createSourceMap,
  indexProvenances,
  type KeywordAnswers,
} from "./collect-facts.ts";
import type { PointGroup } from "./collect-perception.ts";
import { packColumns, rowStarts, toIntegerColumn, type Column } from "../packed-columns.ts";
import type { StoredPerception } from "./stored-perception.ts";

/** `question` is the position in the analysis. */
export interface OpinionAnswer {
  question: number;
  key: number;
  source: Source;
  collectionMethod: CollectionMethod;
  model: string | null;
  isShown: boolean;
  text: string;
  /** Null for result pages and failed extractions. */
  perception: StoredPerception | null;
}

export interface PackableOpinions {
  source: Source;
  method: CollectionMethod;
  pack(): Buffer;
}

export interface PerceptionGatherer {
  /** Call it by question, then by run. */
  add(answer: OpinionAnswer): void;
  sources(): PackableOpinions[];
}

interface AnswerRow {
  keyword: number;
  runIndex: number;
}

interface PerceptionRows {
  answers: KeywordAnswers[];
  keys: number[];
  countByJudge: Map<string, number>;
  opinions: (AnswerRow & {
    brand: number;
    stanceIndex: number;
    proCount: number;
    conCount: number;
    judgedFlag: number;
  })[];
  points: (AnswerRow & { groupIndex: number })[];
  groupByKey: Map<
    string,
    { pointGroup: Omit<PointGroup, "phrase" | "said">; at: number; countByPhrase: Map<string, number> }
  >;
  comparisons: (AnswerRow & { betterBrand: number; worseBrand: number; aspectIndex: number })[];
  attributes: (AnswerRow & { brand: number; attributeIndex: number; score: number })[];
  indexByAspect: Map<string, number>;
  indexByAttribute: Map<string, number>;
}

/** Longer phrases are sentences and never repeat. */
const MAX_PHRASE_LENGTH = 80;
const SCORE_OFFSET = 5;

export function createPerceptionGatherer(questions: number): PerceptionGatherer {
  const sources = createSourceMap((of) => {
    const rows: PerceptionRows = {
      answers: Array.from({ length: questions }, createKeywordAnswers),
      countByJudge: new Map(),
      keys: [],
      opinions: [],
      points: [],
      groupByKey: new Map(),
      comparisons: [],
      attributes: [],
      indexByAspect: new Map(),
      indexByAttribute: new Map(),
    };
    return { ...of, rows, pack: () => packPerception(rows) };
  });
  return {
    sources: sources.all,
    add({ question, key, source, collectionMethod: method, model, isShown, text, perception }) {
      if (!isShown || perception === null) return;
      const { rows } = sources.at(source, method);
      const runIndex = addShownAnswer(rows.answers, question, { method, model });
      addPerception(rows, { keyword: question, runIndex }, text, perception);
      rows.keys.push(key);
      const { judge } = perception;
      if (judge !== null) rows.countByJudge.set(judge, (rows.countByJudge.get(judge) ?? 0) + 1);
    },
  };
}

function addPerception(rows: PerceptionRows, at: AnswerRow, text: string, read: StoredPerception): void {
  const brands = [...new Set(read.stances.map(({ brand }) => brand))].toSorted((a, b) => a - b);
  for (const brand of brands) {
    const count = (polarity: "pro" | "con") =>
      read.points.filter((one) => one.brand === brand && one.polarity === polarity).length;
    const stance = selectStrongestStance(read.stances.flatMap((one) => (one.brand === brand ? one.stance : [])));
    rows.opinions.push({
      ...at,
      brand,
      stanceIndex: STANCES.indexOf(stance),
      proCount: count("pro"),
      conCount: count("con"),
      judgedFlag: read.unjudged === null ? 1 : 0,
    });
  }
  addPoints(rows, at, text, read.points);
  const compared = new Set<string>();
  // A draw counts for both brands.
  const preferences = read.comparisons.flatMap((one) =>
    one.isDraw ? [one, { ...one, better: one.worse, worse: one.better }] : [one],
  );
  for (const { better: betterBrand, worse: worseBrand, aspect } of preferences) {
    const key = JSON.stringify([betterBrand, worseBrand, aspect]);
    if (compared.has(key)) continue;
    compared.add(key);
    rows.comparisons.push({
      ...at,
      betterBrand,
      worseBrand,
      aspectIndex: aspect === null ? 0 : findOrAddIndex(rows.indexByAspect, aspect) + 1,
    });
  }
  for (const { brand, attribute, score } of read.attributes) {
    rows.attributes.push({
      ...at,
      brand,
      attributeIndex: findOrAddIndex(rows.indexByAttribute, attribute),
      score: Math.round(score) + SCORE_OFFSET,
    });
  }
}

/** The best stance, but "discouraged" if any mention is and none recommends or prefers. */
export function selectStrongestStance(mentions: readonly Stance[]): Stance {
  const best = STANCES.find((stance) => mentions.includes(stance)) ?? "mentioned";
  const isPraised = best === "winner" || best === "recommended";
  return mentions.includes("discouraged") && !isPraised ? "discouraged" : best;
}

function addPoints(rows: PerceptionRows, at: AnswerRow, text: string, points: StoredPerception["points"]): void {
  const counted = new Set<number>();
  for (const { brand, polarity, head, start, end } of points) {
    const key = JSON.stringify([brand, polarity, head]);
    const known = rows.groupByKey.get(key) ?? {
      pointGroup: { brand, polarity, head },
      at: rows.groupByKey.size,
      countByPhrase: new Map<string, number>(),
    };
    rows.groupByKey.set(key, known);
    const phrase = text.slice(start, end).replace(/\s+/g, " ").trim();
    if (phrase.length <= MAX_PHRASE_LENGTH) known.countByPhrase.set(phrase, (known.countByPhrase.get(phrase) ?? 0) + 1);
    if (counted.has(known.at)) continue;
    counted.add(known.at);
    rows.points.push({ ...at, groupIndex: known.at });
  }
}

function findOrAddIndex(places: Map<string, number>, name: string): number {
  const known = places.get(name) ?? places.size;
  places.set(name, known);
  return known;
}

/** Most frequent phrase, ties by length, then alphabetically; by the head if all are long. */
function labelGroup({
  pointGroup,
  countByPhrase,
}: {
  pointGroup: Omit<PointGroup, "phrase" | "said">;
  countByPhrase: Map<string, number>;
}) {
  const [first] = [...countByPhrase].toSorted(
    ([a, said], [b, more]) => more - said || a.length - b.length || (a < b ? -1 : 1),
  );
  return { ...pointGroup, phrase: first?.[0] ?? pointGroup.head, said: first?.[1] ?? 0 };
}

function toColumn<Row>(of: readonly Row[], value: (row: Row) => number): Column {
  return toIntegerColumn(of.map((row) => value(row)));
}

/** `unpackPerception` reads the same column order. */
function packPerception(rows: PerceptionRows): Buffer {
  const { answers, opinions, points, comparisons, attributes } = rows;
  const { provenances, wayOf } = indexProvenances(answers);
  const firstKey = rows.keys.reduce((least, key) => Math.min(least, key), Infinity);
  const starts = (of: readonly AnswerRow[]) => rowStarts(answers.length, of);
  const columns = [
    toColumn(answers, (one) => one.answers),
    wayOf,
    rowStarts(
      answers.length,
      answers.flatMap((own, keyword) => Array.from({ length: own.answers }, () => ({ keyword }))),
    ),
    toIntegerColumn(rows.keys.map((key) => key - firstKey)),
    starts(opinions),
    toColumn(opinions, ({ runIndex }) => runIndex),
    toColumn(opinions, ({ brand }) => brand),
    toColumn(opinions, ({ stanceIndex }) => stanceIndex),
    toColumn(opinions, ({ proCount }) => proCount),
    toColumn(opinions, ({ conCount }) => conCount),
    toColumn(opinions, ({ judgedFlag }) => judgedFlag),
    starts(points),
    toColumn(points, ({ runIndex }) => runIndex),
    toColumn(points, ({ groupIndex }) => groupIndex),
    starts(comparisons),
    toColumn(comparisons, ({ runIndex }) => runIndex),
    toColumn(comparisons, ({ betterBrand }) => betterBrand),
    toColumn(comparisons, ({ worseBrand }) => worseBrand),
    toColumn(comparisons, ({ aspectIndex }) => aspectIndex),
    starts(attributes),
    toColumn(attributes, ({ runIndex }) => runIndex),
    toColumn(attributes, ({ brand }) => brand),
    toColumn(attributes, ({ attributeIndex }) => attributeIndex),
    toColumn(attributes, ({ score }) => score),
  ];
  const groups = [...rows.groupByKey.values()].map((one) => labelGroup(one));
  const names = {
    ways: provenances,
    firstKey,
    groups,
    aspects: [...rows.indexByAspect.keys()],
    attributeNames: [...rows.indexByAttribute.keys()],
    judges: [...rows.countByJudge],
  };
  return packColumns(columns, JSON.stringify(names));
}
