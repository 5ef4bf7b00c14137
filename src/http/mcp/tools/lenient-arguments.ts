import { z } from "zod";
import { TimeOfDay } from "../../../../core/analyses/schedule.ts";
import { AppError } from "../../../../core/shared/errors.ts";
import { JsonTooLarge, parseJson } from "../../../../core/shared/json.ts";
import { foldName, splitAtCommas } from "../../../../core/shared/names.ts";
import { JSON_BODY_BOUNDS } from "../../../../core/shared/request-bounds.ts";
import { findSourceByName } from "../../../../core/sources/sources.ts";
import { isFields } from "./shown-fields.ts";
import { findSynonym } from "./synonyms.ts";

type Fields = Record<string, unknown>;

/**
 * Reads a value as clients send it: empty optional fields, JSON as text, a scalar for a list, and
 * informal values of closed lists (`chatgpt`, `tofu`). Other values stay for the schema to reject.
 */
export function readLeniently(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return value === null ? null : readLeniently(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodObject) {
    const object = parseJsonText(value, "{");
    return isFields(object) ? readFields(schema.shape, object) : object;
  }
  if (schema instanceof z.ZodRecord) return parseJsonText(value, "{");
  if (schema instanceof z.ZodArray) return readList(schema.element, value);
  if (schema instanceof z.ZodUnion) return readOption(schema.options, value);
  if (Array.isArray(value) && value.length === 1) return readLeniently(schema, value[0]);
  const isText = schema instanceof z.ZodString || schema instanceof z.ZodStringFormat;
  if (typeof value === "number" && isText) return String(value);
  return typeof value === "string" ? readText(schema, value) : value;
}

export function readFields(shape: Fields, value: Fields): Fields {
  const given = Object.entries(value).filter(([key, field]) => !isUnset(shape[key], field));
  return Object.fromEntries(
    given.map(([key, field]) => [key, Object.hasOwn(shape, key) ? readLeniently(shape[key], field) : field]),
  );
}

/** True for null and "", which clients send for fields that they leave out. */
export function isUnset(schema: unknown, value: unknown): boolean {
  if ((value !== null && value !== "") || !(schema instanceof z.ZodType)) return false;
  return schema.safeParse(undefined).success || !schema.safeParse(value).success;
}

/** A list, its JSON, its entries with commas, or its only entry. Text is no entry of a list of objects or lists. */
function readList(element: unknown, value: unknown): unknown {
  const list = parseJsonText(value, "[");
  const isScalar = ["string", "number", "boolean"].includes(typeof list);
  const takesScalars = !(element instanceof z.ZodObject || element instanceof z.ZodArray);
  if (!Array.isArray(list) && !(isScalar && takesScalars)) return list;
  const entries: unknown[] = Array.isArray(list) ? list : [list];
  return entries.flatMap((entry) => splitEntry(element, entry)).map((entry) => readLeniently(element, entry));
}

/** Longer than a list of a thousand ids. */
const MAX_COMMA_LIST_CHARACTERS = 40_000;

/** Splits entries of closed lists, ids and numbers at commas, which names can contain. */
function splitEntry(element: unknown, entry: unknown): unknown[] {
  const isList = typeof entry === "string" && entry.includes(",") && entry.length <= MAX_COMMA_LIST_CHARACTERS;
  if (!isList || takesEntry(element, entry)) return [entry];
  const parts = splitAtCommas(entry);
  return element instanceof z.ZodEnum || parts.every((part) => takesEntry(element, part)) ? parts : [entry];
}

function takesEntry(schema: unknown, value: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(readLeniently(schema, value)).success;
}

function readOption(options: readonly unknown[], value: unknown): unknown {
  const readings = options.map((option) => readLeniently(option, value));
  const fits = (reading: unknown, at: number) =>
    options[at] instanceof z.ZodType && options[at].safeParse(reading).success;
  return readings.find(fits) ?? readings.find((reading) => reading !== value) ?? value;
}

/** JSON of a list or object by its opening bracket; other values stay. */
function parseJsonText(value: unknown, bracket: "[" | "{"): unknown {
  if (typeof value !== "string" || !value.trimStart().startsWith(bracket)) return value;
  try {
    return parseJson(value, JSON_BODY_BOUNDS);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new AppError("VALIDATION_FAILED", error.message, { cause: error });
    return value;
  }
}

const NUMBER_PATTERN = /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/;
const HOST_PATTERN = /^(?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}[\p{L}\p{N}-]{0,62}(?:[:/?#]|$)/u;

function readText(schema: unknown, value: string): unknown {
  if (schema instanceof z.ZodNumber) return NUMBER_PATTERN.test(value) ? Number(value) : value;
  if (schema instanceof z.ZodURL) return HOST_PATTERN.test(value) ? `https://${value}` : value;
  if (schema === TimeOfDay) return value.replace(/^\d:/, "0$&");
  if (schema instanceof z.ZodEnum) return resolveMember(schema, value);
  const literals = schema instanceof z.ZodBoolean ? [true, false] : schema instanceof z.ZodLiteral ? schema.values : [];
  return [...literals].find((literal) => String(literal).toLowerCase() === value.toLowerCase()) ?? value;
}

const membersByEnum = new WeakMap<z.ZodEnum, ReadonlyMap<string, unknown>>();

/** Resolves a member in any case, by a synonym, or a source by name. */
function resolveMember(schema: z.ZodEnum, said: string): unknown {
  const members = membersByEnum.get(schema) ?? new Map(schema.options.map((one) => [foldName(String(one)), one]));
  membersByEnum.set(schema, members);
  const folded = foldName(said);
  const synonym = findSynonym(folded, (name) => members.has(name));
  return members.get(synonym ?? folded) ?? members.get(foldName(findSourceByName(said) ?? "")) ?? said;
}
