import { selectStrongestStance } from "../../core/metrics/facts/perception-gatherer.ts";
import { extractPerception } from "../../core/perception/perception.ts";
import { findBrandsInPrompt } from "../../core/reading/find-mentions.ts";
import { readCapture } from "../../core/reading/reading.ts";
import {
  CALIBRATION_DIMENSIONS,
  MEASURES,
  type CalibrationCounts,
  type CalibrationMeasure,
} from "../../core/calibration/calibration.ts";
import { countMatched, doOverlap } from "../perception/scores.ts";
import { toneOf } from "../perception/tasks.ts";
import type { Stance } from "../perception/units.ts";
import type { Stretch } from "../perception/windows.ts";
import { catalogOf, type LabelledAnswer, type LabelledPair, type TextRange } from "./label-lines.ts";
import type { Text } from "./texts.ts";

/** The product's reading of one brand in one answer. */
interface ReadPair {
  rank: number | undefined;
  named: boolean;
  stance: Stance;
  pros: Stretch[];
  cons: Stretch[];
}

interface Hit {
  measure: CalibrationMeasure;
  counts: Counts;
  /** The class within the measure, such as a stance. */
  name?: string;
}

interface Counts {
  right: number;
  found: number;
  labelled: number;
}

/**
 * Figures of one half, in a fixed order: by measure, then overall, by class, provider and language.
 */
export function countByGroup(
  part: CalibrationCounts["part"],
  answers: readonly LabelledAnswer[],
  texts: readonly Text[],
): CalibrationCounts[] {
  const sums = new Map<string, CalibrationCounts>();
  for (const [index, answer] of answers.entries()) {
    const text = texts[index];
    if (!text) throw new Error(`No text of ${answer.answer}`);
    for (const [pair, read] of readPairs(answer, text)) {
      for (const { measure, counts, name } of hitsOf(pair, read, answer)) {
        const classes = name === undefined ? pair.classes : [name];
        for (const [dimension, values] of groupsOf(answer, classes, name)) {
          for (const value of values) add(sums, { part, measure, dimension, value, ...counts });
        }
      }
    }
  }
  return [...sums.values()].filter(({ found, labelled }) => found + labelled > 0).toSorted(inOrder);
}

function inOrder(one: CalibrationCounts, other: CalibrationCounts): number {
  return placeOf(one) - placeOf(other) || (one.value < other.value ? -1 : 1);
}

function placeOf({ measure, dimension }: CalibrationCounts): number {
  return MEASURES.indexOf(measure) * CALIBRATION_DIMENSIONS.length + CALIBRATION_DIMENSIONS.indexOf(dimension);
}

/** Adds the group of a class only when the measure has several classes. */
function groupsOf(
  { provider, language }: LabelledAnswer,
  classes: readonly string[],
  name: string | undefined,
): [CalibrationCounts["dimension"], readonly string[]][] {
  if (name !== undefined) return [["class", classes]];
  return [
    ["all", ["all"]],
    ["class", classes],
    ["provider", [provider]],
    ["language", [language]],
  ];
}

function readPairs(answer: LabelledAnswer, { text, prompt }: Text): [LabelledPair, ReadPair][] {
  const catalog = catalogOf(answer);
  const capture = { text, citations: [], results: [] };
  const reading = readCapture(capture, catalog, { prompt });
  const said = extractPerception(capture, reading, { prompt }, catalog);
  const named = findBrandsInPrompt(prompt, catalog);
  return answer.pairs.map((pair) => {
    const own = catalog.indexById.get(pair.brand) ?? -1;
    // Statements about a sub-brand count for its brand too.
    const isOwn = ({ brandId }: { brandId: string }): boolean =>
      catalog.lineages[catalog.indexById.get(brandId) ?? -1]?.includes(own) ?? false;
    const points = said.points.filter(isOwn);
    return [
      pair,
      {
        rank: reading.brandRanks.find(({ brand_id }) => brand_id === pair.brand)?.rank,
        named: [...named].some((place) => catalog.lineages[place]?.includes(own)),
        stance: selectStrongestStance(said.stances.filter(isOwn).map(({ stance }) => stance)),
        pros: points.filter(({ polarity }) => polarity === "pro"),
        cons: points.filter(({ polarity }) => polarity === "con"),
      },
    ];
  });
}

function hitsOf(pair: LabelledPair, read: ReadPair, { prompt_from, places_known }: LabelledAnswer): Hit[] {
  const isRead = read.rank !== undefined;
  const hits: Hit[] = [];
  if (prompt_from !== "none") hits.push({ measure: "named_in_prompt", counts: bothWays(read.named, pair.named) });
  // A constructed prompt only adds whether it names the brand.
  if (prompt_from === "constructed") return hits;
  if (!places_known) {
    hits.push({ measure: "presence", counts: bothWays(isRead, pair.present) });
    if (pair.present) hits.push({ measure: "rank", counts: ofOne(read.rank === pair.rank) });
  }
  if (!isRead || pair.stance === undefined) return hits;
  return [...hits, ...stanceHits(pair.stance, read.stance), ...pointHits(pair, read)];
}

/** The three classes of test/perception, and the five classes separately. */
function stanceHits(label: Stance, read: Stance): Hit[] {
  const tones = [toneOf(label), toneOf(read)] as const;
  return [
    { measure: "stance", counts: ofOne(tones[0] === tones[1]) },
    ...byClass(tones[0], tones[1]),
    ...byClass(label, read),
  ];
}

function byClass(label: string, read: string): Hit[] {
  if (label === read) return [{ measure: "stance", counts: ofOne(true), name: label }];
  return [
    { measure: "stance", counts: { right: 0, found: 0, labelled: 1 }, name: label },
    { measure: "stance", counts: { right: 0, found: 1, labelled: 0 }, name: read },
  ];
}

function pointHits(pair: LabelledPair, read: ReadPair): Hit[] {
  return (["pros", "cons"] as const).map((measure) => {
    const there = (pair[measure] ?? []).map(toStretch);
    const found = read[measure];
    return {
      measure,
      counts: { right: countMatched(found, there, doOverlap), found: found.length, labelled: there.length },
    };
  });
}

export function toStretch([start, end]: TextRange): Stretch {
  return { start, end };
}

function bothWays(read: boolean, label: boolean): Counts {
  return { right: read && label ? 1 : 0, found: read ? 1 : 0, labelled: label ? 1 : 0 };
}

function ofOne(isRight: boolean): Counts {
  return { right: isRight ? 1 : 0, found: 1, labelled: 1 };
}

function add(sums: Map<string, CalibrationCounts>, row: CalibrationCounts): void {
  const key = [row.measure, row.dimension, row.value].join(" ");
  const sum = sums.get(key);
  if (!sum) sums.set(key, row);
  else {
    sum.right += row.right;
    sum.found += row.found;
    sum.labelled += row.labelled;
  }
}
