import type { PerceptionReading, Stance } from "../../reading/capture.ts";

/** Brands are workspace numbers; offsets are UTF-16 code units, end exclusive. */
export interface StoredPerception {
  language: PerceptionReading["language"];
  unjudged: PerceptionReading["unjudged"];
  judge: PerceptionReading["judge"];
  stances: { brand: number; start: number; end: number; stance: Stance }[];
  points: { brand: number; start: number; end: number; polarity: "pro" | "con"; head: string }[];
  comparisons: { better: number; worse: number; start: number; end: number; aspect: string | null; isDraw?: true }[];
  attributes: { brand: number; start: number; end: number; attribute: string; score: number }[];
}

export function toStoredPerception(
  read: Omit<PerceptionReading, "awareness" | "version">,
  numberOf: (brandId: string) => number,
): StoredPerception {
  const numbered = <One extends { brandId: string }>({ brandId, ...one }: One) => {
    return { brand: numberOf(brandId), ...one };
  };
  return {
    language: read.language,
    unjudged: read.unjudged,
    judge: read.judge,
    stances: read.stances.map(numbered),
    points: read.points.map(numbered),
    comparisons: read.comparisons.map((one) => {
      return { ...one, better: numberOf(one.better), worse: numberOf(one.worse) };
    }),
    attributes: read.attributes.map(numbered),
  };
}

/** `parents` has the ancestors of sub-brands and products by number. */
export function copyToParents(
  perception: StoredPerception,
  parents: ReadonlyMap<number, readonly number[]>,
): StoredPerception {
  const all = (brand: number) => [brand, ...(parents.get(brand) ?? [])];
  const copied = <One extends { brand: number }>(one: One) => all(one.brand).map((brand) => ({ ...one, brand }));
  return {
    ...perception,
    stances: perception.stances.flatMap(copied),
    points: perception.points.flatMap(copied),
    comparisons: perception.comparisons.flatMap((one) => {
      const [better, worse] = [all(one.better), all(one.worse)];
      // A preference between two products of one brand does not count for the brand.
      if (better.some((brand) => worse.includes(brand))) return [one];
      return better.flatMap((own) => worse.map((other) => ({ ...one, better: own, worse: other })));
    }),
    attributes: perception.attributes.flatMap(copied),
  };
}
