import { STANCES, type Stance } from "../../reading/capture.ts";
import type { CollectionMethod, Source } from "../../sources/sources.ts";
import {
  addShownAnswer,
  createKeywordAnswers,
  createSourceMap,
  indexWays,
  type KeywordAnswers,
} from "./collect-facts.ts";
import type { PointGroup } from "./collect-perception.ts";
import { packColumns, rowStarts, toIntegerColumn, type Column } from "../packed-columns.ts";
import type { StoredPerception } from "./stored-perception.ts";

/** An answer to a prompt of a brand analysis. `question` is its position in the analysis. */
export interface OpinionAnswer {
  question: number;
  /** Row key of the answer with opinions. */
  key: number;
  source: Source;
  collectionMethod: CollectionMethod;
  model: string | null;
  isShown: boolean;
  text: string;
  /** Opinions of the answer; null for result pages and failed extractions. */
  perception: StoredPerception | null;
}

export interface PackableOpinions {
  source: Source;
  method: CollectionMethod;
  pack(): Buffer;
}

export interface PerceptionGatherer {
  /** Adds an answer. Call it by question, then by run. */
  add(answer: OpinionAnswer): void;
  sources(): PackableOpinions[];
}

interface AnswerRow {
  keyword: number;
  run: number;
}

interface PerceptionRows {
  answers: KeywordAnswers[];
  keys: number[];
  judges: Map<string, number>;
  opinions: (AnswerRow & { brand: number; stance: number; pros: number; cons: number; judged: number })[];
  points: (AnswerRow & { group: number })[];
  groups: Map<string, { group: Omit<PointGroup, "phrase" | "said">; at: number; phrases: Map<string, number> }>;
  comparisons: (AnswerRow & { better: number; worse: number; aspect: number })[];
  attributes: (AnswerRow & { brand: number; attribute: number; score: number })[];
  aspects: Map<string, number>;
  attributeNames: Map<string, number>;
}

/** Max length of a label; longer phrases are sentences and never repeat. */
const MAX_PHRASE_LENGTH = 80;
const SCORE_OFFSET = 5;

export function createPerceptionGatherer(questions: number): PerceptionGatherer {
  const sources = createSourceMap((of) => {
    const rows: PerceptionRows = {
      answers: Array.from({ length: questions }, createKeywordAnswers),
      judges: new Map(),
      keys: [],
      opinions: [],
      points: [],
      groups: new Map(),
      comparisons: [],
      attributes: [],
      aspects: new Map(),
      attributeNames: new Map(),
    };
    return { ...of, rows, pack: () => packPerception(rows) };
  });
  return {
    sources: sources.all,
    add({ question, key, source, collectionMethod: method, model, isShown, text, perception }) {
      if (!isShown || perception === null) return;
      const { rows } = sources.at(source, method);
      const run = addShownAnswer(rows.answers, question, { method, model });
      addPerception(rows, { keyword: question, run }, text, perception);
      rows.keys.push(key);
      const { judge } = perception;
      if (judge !== null) rows.judges.set(judge, (rows.judges.get(judge) ?? 0) + 1);
    },
  };
}

function addPerception(rows: PerceptionRows, at: AnswerRow, text: string, read: StoredPerception): void {
  const brands = [...new Set(read.stances.map(({ brand }) => brand))].toSorted((a, b) => a - b);
  for (const brand of brands) {
    const count = (polarity: "pro" | "con") =>
      read.points.filter((one) => one.brand === brand && one.polarity === polarity).length;
    const stance = strongestStance(read.stances.flatMap((one) => (one.brand === brand ? one.stance : [])));
    rows.opinions.push({
      ...at,
      brand,
      stance: STANCES.indexOf(stance),
      pros: count("pro"),
      cons: count("con"),
      judged: read.unjudged === null ? 1 : 0,
    });
  }
  addPoints(rows, at, text, read.points);
  const compared = new Set<string>();
  for (const { better, worse, aspect } of read.comparisons) {
    const key = JSON.stringify([better, worse, aspect]);
    if (compared.has(key)) continue;
    compared.add(key);
    rows.comparisons.push({
      ...at,
      better,
      worse,
      aspect: aspect === null ? 0 : findOrAddIndex(rows.aspects, aspect) + 1,
    });
  }
  for (const { brand, attribute, score } of read.attributes) {
    rows.attributes.push({
      ...at,
      brand,
      attribute: findOrAddIndex(rows.attributeNames, attribute),
      score: Math.round(score) + SCORE_OFFSET,
    });
  }
}

/**
 * Stance of an answer with several mentions: the best one, but "discouraged" if any mention
 * discourages and none recommends or prefers the brand.
 */
export function strongestStance(mentions: readonly Stance[]): Stance {
  const best = STANCES.find((stance) => mentions.includes(stance)) ?? "mentioned";
  const isPraised = best === "winner" || best === "recommended";
  return mentions.includes("discouraged") && !isPraised ? "discouraged" : best;
}

function addPoints(rows: PerceptionRows, at: AnswerRow, text: string, points: StoredPerception["points"]): void {
  const counted = new Set<number>();
  for (const { brand, polarity, head, start, end } of points) {
    const key = JSON.stringify([brand, polarity, head]);
    const known = rows.groups.get(key) ?? {
      group: { brand, polarity, head },
      at: rows.groups.size,
      phrases: new Map<string, number>(),
    };
    rows.groups.set(key, known);
    const phrase = text.slice(start, end).replace(/\s+/g, " ").trim();
    if (phrase.length <= MAX_PHRASE_LENGTH) known.phrases.set(phrase, (known.phrases.get(phrase) ?? 0) + 1);
    if (counted.has(known.at)) continue;
    counted.add(known.at);
    rows.points.push({ ...at, group: known.at });
  }
}

function findOrAddIndex(places: Map<string, number>, name: string): number {
  const known = places.get(name) ?? places.size;
  places.set(name, known);
  return known;
}

/**
 * Labels a group by its most frequent phrase, ties by length, then alphabetically; by the head if
 * all phrases are long.
 */
function labelGroup({ group, phrases }: { group: Omit<PointGroup, "phrase" | "said">; phrases: Map<string, number> }) {
  const [first] = [...phrases].toSorted(
    ([a, said], [b, more]) => more - said || a.length - b.length || (a < b ? -1 : 1),
  );
  return { ...group, phrase: first?.[0] ?? group.head, said: first?.[1] ?? 0 };
}

function toColumn<Row>(of: readonly Row[], value: (row: Row) => number): Column {
  return toIntegerColumn(of.map((row) => value(row)));
}

/** Column order as read by `unpackPerception`. */
function packPerception(rows: PerceptionRows): Buffer {
  const { answers, opinions, points, comparisons, attributes } = rows;
  const { ways, wayOf } = indexWays(answers);
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
    toColumn(opinions, ({ run }) => run),
    toColumn(opinions, ({ brand }) => brand),
    toColumn(opinions, ({ stance }) => stance),
    toColumn(opinions, ({ pros }) => pros),
    toColumn(opinions, ({ cons }) => cons),
    toColumn(opinions, ({ judged }) => judged),
    starts(points),
    toColumn(points, ({ run }) => run),
    toColumn(points, ({ group }) => group),
    starts(comparisons),
    toColumn(comparisons, ({ run }) => run),
    toColumn(comparisons, ({ better }) => better),
    toColumn(comparisons, ({ worse }) => worse),
    toColumn(comparisons, ({ aspect }) => aspect),
    starts(attributes),
    toColumn(attributes, ({ run }) => run),
    toColumn(attributes, ({ brand }) => brand),
    toColumn(attributes, ({ attribute }) => attribute),
    toColumn(attributes, ({ score }) => score),
  ];
  const groups = [...rows.groups.values()].map((one) => labelGroup(one));
  const names = {
    ways,
    firstKey,
    groups,
    aspects: [...rows.aspects.keys()],
    attributeNames: [...rows.attributeNames.keys()],
    judges: [...rows.judges],
  };
  return packColumns(columns, JSON.stringify(names));
}
