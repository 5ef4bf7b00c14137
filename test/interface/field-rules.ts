import { expect } from "vitest";
import { z } from "zod";
import { fieldRow, type FieldRow } from "./field-tables.ts";
import { findSchemaFaults, type Json, type Reference } from "./reference-document.ts";
import { rule } from "./rule.ts";

const FORMATS: Record<string, z.ZodType> = {
  uuid: z.uuid(),
  "date-time": z.iso.datetime({ offset: true }),
  uri: z.url(),
};

/** Rows of real responses with a field, and its description in the reference. */
export interface AnsweredRows {
  reference: Reference;
  schema: Json;
  rows: readonly Json[];
}

/**
 * Registers the rule of each field of a table. A field passes if its description equals the table,
 * and real responses have it: correct type, null or absent only if allowed, and at least one value
 * (and one null if nullable).
 */
export function testFields(
  section: string,
  names: readonly string[],
  answered: () => Promise<AnsweredRows>,
  never: { null?: readonly string[] } = {},
): void {
  for (const name of names) {
    rule(`${section} · ${name}`, async () => {
      const row = fieldRow(section, name);
      const { reference, schema, rows } = await answered();
      expect(findSchemaFaults(reference, schema, row)).toEqual([]);
      const nullSeen = never.null?.includes(name) !== true;
      expect(findRowFaults(rows, row, nullSeen)).toEqual([]);
    });
  }
}

function findRowFaults(rows: readonly Json[], row: FieldRow, nullSeen: boolean): string[] {
  const values = rows.filter((one) => row.name in one).map((one) => one[row.name]);
  const valued = values.filter((value) => value !== null);
  const wrong = valued.filter((value) => !isOfType(value, row.type));
  return [
    ...(valued.length === 0 ? ["no answer has a value"] : []),
    ...wrong.map((value) => `is ${JSON.stringify(value)}`),
    ...(values.length > valued.length && row.nullable !== true ? ["is null in an answer"] : []),
    ...(values.length === valued.length && row.nullable === true && nullSeen ? ["is null in no answer"] : []),
    ...(row.required === true && values.length < rows.length ? ["is absent from an answer"] : []),
  ];
}

/** True for a value of a type of the specification's words. */
export function isOfType(value: unknown, type: string): boolean {
  const listed = /^string enum: (.*)$/.exec(type)?.[1];
  if (listed !== undefined) return listed.split(", ").includes(String(value));
  const [kind = "", format] = type.split(", ");
  if (kind === "array of string") return isListOf(value, (one) => typeof one === "string");
  if (kind === "array of number") return isListOf(value, (one) => typeof one === "number");
  if (kind.startsWith("array of")) return isListOf(value, (one) => typeof one === "object" && one !== null);
  if (kind === "integer") return Number.isInteger(value);
  const named = /^(string|number|boolean)\b/.exec(kind)?.[1] ?? "object";
  return typeof value === named && (format === undefined || FORMATS[format]?.safeParse(value).success === true);
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}
