import type { Demo } from "./demo.ts";
import { isFields, type Fields } from "./names.ts";
import type { Played } from "./player.ts";

/** Values that must stand together in one row of a result, or beside each other in one object. */
export type Fact = readonly unknown[];

/** A question of the demo, with what its results must hold. */
export interface Question {
  question: string;
  /** The answer, worked out without tools. */
  facts(demo: Demo): readonly Fact[] | Promise<readonly Fact[]>;
}

/** A question that a result answers in words. */
export interface Reasoned {
  question: string;
  /** The words. */
  because: RegExp;
}

/** A question that has no answer, which the result itself must say. */
export interface Unanswerable extends Reasoned {
  /** What no figure may be given for: the name that was asked for. */
  without: string;
}

/** Where every person who asks says that they work. */
export const BEFORE = 'I work in the workspace "Espresso machines" of the organization "Demo (simulated)".';

/** True once some result holds each of the facts. */
export function holdsAll(played: readonly Played[], facts: readonly Fact[]): boolean {
  const rows = played.filter(({ isError }) => !isError).flatMap(({ structured }) => rowsOf(structured));
  const sets = rows.map((row) => new Set(valuesOf(row)));
  return facts.length > 0 && facts.every((fact) => sets.some((values) => fact.every((value) => values.has(value))));
}

/** True once a result says the words. */
export function saysWhy(played: readonly Played[], { because }: Reasoned): boolean {
  return played.some(({ text }) => because.test(text));
}

/** Figures that were given for what has none: metrics whatever they are of, and numbers beside the name. */
export function figuresFor(played: readonly Played[], { without }: Unanswerable): Fields[] {
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

/** The plain values of an object, also of its objects and lists of plain values, but not of rows in it. */
function valuesOf(row: Fields): unknown[] {
  return Object.values(row).flatMap((value) => {
    if (Array.isArray(value)) return value.filter((one) => typeof one !== "object");
    return isFields(value) ? valuesOf(value) : [value];
  });
}
