import type { Demo } from "./demo.ts";
import { isFields, type Fields } from "./names.ts";
import type { Played } from "./player.ts";

/** Values that must be in one row, or in one object. */
export type Fact = readonly unknown[];

/** A question on the demo with required facts. */
export interface Question {
  question: string;
  /** The answer, computed without tools. */
  facts(demo: Demo): readonly Fact[] | Promise<readonly Fact[]>;
}

/** A question that a result answers in words. */
export interface Reasoned {
  question: string;
  /** The words. */
  because: RegExp;
}

/** A question without answer; the result must say so. */
export interface Unanswerable extends Reasoned {
  /** The unknown name, for which no value may be given. */
  without: string;
}

/** Statement of each person about their workspace. */
export const CONTEXT_SENTENCE = 'I work in the workspace "Espresso machines" of the organization "Demo (simulated)".';

/** True once results contain each fact. */
export function hasAllFacts(played: readonly Played[], facts: readonly Fact[]): boolean {
  const rows = played.filter(({ isError }) => !isError).flatMap(({ structured }) => rowsOf(structured));
  const sets = rows.map((row) => new Set(valuesOf(row)));
  return facts.length > 0 && facts.every((fact) => sets.some((values) => fact.every((value) => values.has(value))));
}

/** True once a result contains the words. */
export function isExplained(played: readonly Played[], { because }: Reasoned): boolean {
  return played.some(({ text }) => because.test(text));
}

/** Values given for the unknown name: metrics of anything, and numbers next to it. */
export function findInventedMetrics(played: readonly Played[], { without }: Unanswerable): Fields[] {
  const results = played.filter(({ isError }) => !isError);
  return results.flatMap(({ structured }) => [
    ...(isFields(structured) && "basis" in structured ? [structured] : []),
    ...rowsOf(structured).filter((row) => {
      const values = valuesOf(row);
      return values.includes(without) && values.some((value) => typeof value === "number");
    }),
  ]);
}

/** Every object in a result. */
function rowsOf(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(rowsOf);
  if (!isFields(value)) return [];
  return [value, ...Object.values(value).flatMap(rowsOf)];
}

/**
 * The plain values of an object, also of its objects and lists of plain values, but not of rows in
 * it.
 */
function valuesOf(row: Fields): unknown[] {
  return Object.values(row).flatMap((value) => {
    if (Array.isArray(value)) return value.filter((one) => typeof one !== "object");
    return isFields(value) ? valuesOf(value) : [value];
  });
}
