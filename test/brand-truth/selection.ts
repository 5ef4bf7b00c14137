import { isResultPageSource, SOURCE_NAMES, type Source } from "../../core/sources/sources.ts";
import { OWN, RIVALS, type BrandTruth, type TrueAnswer } from "./scene.ts";

// Answers behind a row of a brand metric, and its labels.

export const DIMENSIONS = ["source", "country", "persona", "collect"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** A request for a metric. */
export interface Request {
  groupBy: readonly ("brand" | Dimension)[];
  sources?: readonly Source[];
  countries?: readonly string[];
}

export function buildQuery({ groupBy, sources = [], countries = [] }: Request): string {
  const parts = [
    ...groupBy.map((one) => `group_by=${one}`),
    ...sources.map((one) => `sources=${one}`),
    ...countries.map((one) => `countries=${one}`),
  ];
  return [...parts, "statistics=true", "limit=100"].join("&");
}

/** Each dimension, and all pairs. */
export function groupings(dimensions: readonly ("brand" | Dimension)[]): (typeof dimensions)[] {
  const pairs = dimensions.flatMap((one, at) => dimensions.slice(at + 1).map((other) => [one, other]));
  return [...dimensions.map((one) => [one]), ...pairs];
}

/** A part of the answers, as rows are of it. */
export interface Part {
  brand: BrandTruth["brands"][number];
  /** Labels of a row. */
  names: Record<string, unknown>;
  /** Answers of the row's collects, and of the collect before the last one; null without one. */
  current: TrueAnswer[];
  before: TrueAnswer[] | null;
  /** Number of that collect. */
  against: number[];
  /** How many sources its answers are of. */
  sources: number;
  isAlone: boolean;
}

function oneOrEach<Value>(isEach: boolean, values: readonly Value[]): (Value | undefined)[] {
  return isEach ? [...values] : [undefined];
}

/** The parts of a request in the order of their rows. */
export function selectParts(s: BrandTruth, { groupBy, sources, countries }: Request): Part[] {
  const asked = s.answers.filter(
    ({ source, shown, question }) =>
      shown &&
      (sources ? sources.includes(source) : !isResultPageSource(source)) &&
      (countries?.includes(question.country) ?? true),
  );
  const by = (dimension: Dimension) => groupBy.includes(dimension);
  const last = Math.max(...s.collects.map(({ number }) => number));
  const bySource = oneOrEach(by("source"), [...new Set(asked.map(({ source }) => source))].toSorted());
  const byCountry = oneOrEach(by("country"), [...new Set(s.questions.map(({ country }) => country))]);
  const byPersona = oneOrEach(by("persona"), s.personas);
  const byCollect = oneOrEach(by("collect"), s.collects);
  const names = groupBy.includes("brand") ? [OWN, ...RIVALS] : [OWN];
  const brands = names.flatMap((name) => s.brands.filter((brand) => brand.name === name));
  const isWhole = !by("source") && !by("country") && !by("persona");
  const groups = bySource.flatMap((source) =>
    byCountry.flatMap((country) =>
      byPersona.flatMap((persona) => byCollect.map((collect) => ({ source, country, persona, collect }))),
    ),
  );
  return groups.flatMap(({ source, country, persona, collect }) => {
    const own = asked.filter(
      (one) =>
        (source ?? one.source) === one.source &&
        (country ?? one.question.country) === one.question.country &&
        (persona?.id ?? one.question.personaId) === one.question.personaId,
    );
    const number = collect?.number ?? last;
    const of = (which: number) => own.filter((one) => one.collect === which);
    return brands.map((brand): Part => ({
      brand,
      names: {
        brand: brand.name,
        brand_id: brand.id,
        is_my_brand: brand.name === OWN,
        ...(source && { source: SOURCE_NAMES[source] }),
        ...(country && { country }),
        ...(persona && { persona: persona.name }),
        ...(collect && { collect: number, collect_id: collect.id, collected_to: collect.collected_to }),
      },
      current: of(number),
      before: number > 1 ? of(number - 1) : null,
      against: number > 1 ? [number - 1] : [],
      sources: source ? 1 : new Set(asked.map((one) => one.source)).size,
      isAlone: isWhole && brand.name === OWN,
    }));
  });
}

/** Sorted by collect, source, question and run; quotations use the first match. */
export function sortAnswers({ questions }: BrandTruth, answers: readonly TrueAnswer[]): TrueAnswer[] {
  const place = new Map(questions.map(({ id }, at) => [id, at]));
  const placeOf = ({ question }: TrueAnswer) => place.get(question.id) ?? 0;
  return answers.toSorted(
    (a, b) =>
      a.collect - b.collect ||
      (a.source < b.source ? -1 : Number(a.source > b.source)) ||
      placeOf(a) - placeOf(b) ||
      a.run - b.run,
  );
}

/** True for answers to prompts that ask neither for pros and cons nor for an invented name. */
export function isUnsolicited({ question: { asked } }: TrueAnswer): boolean {
  return !asked.asksProsCons && asked.lookAlike === null;
}
