import type { DeclaredFact } from "./facts.ts";
import { unitsOf } from "./labels.ts";
import type { PerceptionReading, ReadClaim, ReadPreference, ReadSpan } from "./perception-reading.ts";
import type { IdentifiedAnswer } from "./recorded.ts";
import { countMatched, doOverlap, computeScore, type Counts, type Score, type Tally } from "./scores.ts";
import type { LabelledUnit, MarkedSpan, Polarity, Preference, Stance } from "./units.ts";
import type { Stretch } from "./windows.ts";

export const TONES = ["positive", "neutral", "negative"] as const;
export const POLARITIES = ["pro", "con"] as const;
export const VERDICTS = ["agreed", "contradicted", "not_mentioned"] as const;
export const PREFERS = ["prefers"] as const;

export const TASKS = ["stance", "pros and cons", "comparisons", "claims"] as const;
export type Task = (typeof TASKS)[number];

export interface Result {
  task: Task;
  reading: string;
  units: number;
  score: Score;
  /** Keyed by "label, read", for tasks with one class per unit. */
  confusion: Map<string, number>;
}

/** The answers and facts that units refer to. */
export interface Material {
  answers: ReadonlyMap<string, IdentifiedAnswer>;
  facts: ReadonlyMap<string, DeclaredFact>;
}

/** The three classes that stance is scored in. */
export function toneOf(stance: Stance): (typeof TONES)[number] {
  if (stance === "mentioned") return "neutral";
  return stance === "winner" || stance === "recommended" ? "positive" : "negative";
}

/** Every task that a reading does, on these units. */
export function evaluate(reading: PerceptionReading, units: readonly LabelledUnit[], material: Material): Result[] {
  const tasks = [stances, spans, comparisons, claims];
  return tasks.flatMap((task) => task(reading, units, material) ?? []);
}

function answerOf({ answers }: Material, id: string): IdentifiedAnswer {
  const answer = answers.get(id);
  if (!answer) throw new Error(`A labelled answer is not among the recorded ones: ${id}`);
  return answer;
}

function ofPairs(
  task: Task,
  reading: string,
  pairs: readonly { answer: string; label: string; read: string }[],
  classes: readonly string[],
): Result {
  const confusion = new Map<string, number>();
  const tallies = pairs.map(({ answer, label, read }): Tally => {
    confusion.set(`${label}, ${read}`, (confusion.get(`${label}, ${read}`) ?? 0) + 1);
    const right = label === read ? 1 : 0;
    const counts = new Map<string, Counts>([[label, { found: right, right, there: 1 }]]);
    if (right === 0) counts.set(read, { found: 1, right: 0, there: 0 });
    return { answer, counts };
  });
  return { task, reading, units: pairs.length, score: computeScore(tallies, classes), confusion };
}

function stances(reading: PerceptionReading, units: readonly LabelledUnit[], material: Material): Result | undefined {
  if (!reading.stance) return undefined;
  const read = reading.stance.bind(reading);
  const pairs = unitsOf(units, "stance").map(({ answer, brand, start, end, label }) => ({
    answer,
    label: toneOf(label),
    read: toneOf(read(answerOf(material, answer), { brandId: brand, start, end })),
  }));
  return ofPairs("stance", reading.name, pairs, TONES);
}

function claims(reading: PerceptionReading, units: readonly LabelledUnit[], material: Material): Result | undefined {
  if (!reading.claim) return undefined;
  const read = reading.claim.bind(reading);
  const pairs = unitsOf(units, "claim").map(({ answer, fact: id, label }) => {
    const fact = material.facts.get(id);
    if (!fact) throw new Error(`A labelled fact is not declared: ${id}`);
    const claim: ReadClaim = read(answerOf(material, answer), fact);
    return { answer, label: label.verdict, read: claim.verdict };
  });
  return ofPairs("claims", reading.name, pairs, VERDICTS);
}

/** Caches the reading of each answer and cuts it to a unit. */
function within<T extends Stretch>(
  read: (answer: IdentifiedAnswer) => T[],
  material: Material,
): (unit: LabelledUnit) => T[] {
  const known = new Map<string, T[]>();
  return ({ answer, start, end }) => {
    const all = known.get(answer) ?? read(answerOf(material, answer));
    known.set(answer, all);
    return all.filter((place) => Math.min(place.end, end) - Math.max(place.start, start) > 0);
  };
}

function spans(reading: PerceptionReading, units: readonly LabelledUnit[], material: Material): Result | undefined {
  if (!reading.prosAndCons) return undefined;
  const readIn = within(reading.prosAndCons.bind(reading), material);
  const own = unitsOf(units, "pros_and_cons");
  const tallies = own.map((unit): Tally => {
    const found = readIn(unit).map(({ brandId, ...span }: ReadSpan): MarkedSpan => ({ ...span, brand: brandId }));
    return { answer: unit.answer, counts: spanCounts(found, unit.label) };
  });
  const score = computeScore(tallies, POLARITIES);
  return { task: "pros and cons", reading: reading.name, units: own.length, score, confusion: new Map() };
}

/** Relaxed matching: same brand and polarity, spans overlapping by half of the shorter one. */
export function spanCounts(found: readonly MarkedSpan[], there: readonly MarkedSpan[]): Map<Polarity, Counts> {
  return new Map(
    POLARITIES.map((polarity) => {
      const one = found.filter((span) => span.polarity === polarity);
      const other = there.filter((span) => span.polarity === polarity);
      const right = countMatched(one, other, (a, b) => a.brand === b.brand && doOverlap(a, b));
      return [polarity, { found: one.length, right, there: other.length }];
    }),
  );
}

function comparisons(
  reading: PerceptionReading,
  units: readonly LabelledUnit[],
  material: Material,
): Result | undefined {
  if (!reading.comparisons) return undefined;
  const readIn = within(reading.comparisons.bind(reading), material);
  const own = unitsOf(units, "comparison");
  const confusion = new Map<string, number>();
  const tallies = own.map((unit): Tally => {
    const found: ReadPreference[] = readIn(unit);
    const turned = countMatched(found, unit.label, (a, b) => a.better === b.worse && a.worse === b.better);
    if (turned > 0) confusion.set("right way, turned", (confusion.get("right way, turned") ?? 0) + turned);
    return { answer: unit.answer, counts: preferenceCounts(found, unit.label) };
  });
  const score = computeScore(tallies, PREFERS);
  return { task: "comparisons", reading: reading.name, units: own.length, score, confusion };
}

/** Directed pairs; the aspect is not scored. */
export function preferenceCounts(
  found: readonly Pick<Preference, "better" | "worse">[],
  there: readonly Pick<Preference, "better" | "worse">[],
): Map<string, Counts> {
  const right = countMatched(found, there, (a, b) => a.better === b.better && a.worse === b.worse);
  return new Map([["prefers", { found: found.length, right, there: there.length }]]);
}
