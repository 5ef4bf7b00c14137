import { z } from "zod";
import { parseWithinBounds } from "../../core/shared/bounded-parse.ts";
import { AppError, invalidInput, type FieldError } from "../../core/shared/errors.ts";
import { createNameResolver, createNameSuggester, splitAtCommas, type Named } from "../../core/shared/names.ts";
import { unwrapSchema } from "../../core/shared/fields.ts";
import { formatIssueMessage } from "../../core/shared/format-issue-message.ts";
import { MAX_SUGGESTED_FIELDS } from "../../core/shared/request-bounds.ts";
import type { AnyEndpoint, Context } from "../../tools/endpoint.ts";
import { DATE_ALIASES } from "../../tools/metric-reads/selection/date-window.ts";
import { findNamed, listNamed, type NamedField, type NamedKind } from "../../tools/name-or-id.ts";

export type Input = Record<string, unknown>;

/** Error messages name invalid fields and the expected values, and never quote the input. */
export function parseInput(endpoint: AnyEndpoint, raw: Record<string, unknown>): Input {
  const unstorable = findUnstorable(raw)?.toReversed().join(".");
  if (unstorable !== undefined)
    throw invalidInput([{ path: unstorable, message: "must not contain NUL or broken Unicode" }]);
  const parsed = parseWithinBounds(endpoint.input, replaceAliases(endpoint, raw), formatIssueMessage);
  if (parsed.success) return parsed.data as Input;
  const fields = parsed.issues.flatMap((issue) => toFieldErrors(issue, endpoint));
  throw invalidInput(fields, fields.length + parsed.count - parsed.issues.length);
}

/** Renames dates to `since` and `until` for endpoints that take them. */
function replaceAliases({ input: { shape } }: AnyEndpoint, raw: Input): Input {
  const toName = (key: string) => {
    const name = DATE_ALIASES.get(key) ?? key;
    return Object.hasOwn(shape, name) ? name : key;
  };
  const fields = Object.entries(raw).map(([key, value]) => [toName(key), value] as const);
  const names = fields.map(([name]) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.length > 0)
    throw invalidInput(twice.map((path) => ({ path, message: "is given twice, under two names; use one of them" })));
  return Object.fromEntries(fields);
}

/** Undefined if any path parameter is invalid. */
export function parsePath(endpoint: AnyEndpoint, raw: Record<string, unknown>): Record<string, string> | undefined {
  const keys = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const path = z.record(z.string(), z.string()).safeParse(Object.fromEntries(keys.map((key) => [key, raw[key]])));
  const fields = endpoint.input.pick(Object.fromEntries(keys.map((key) => [key, true as const])));
  return path.success && fields.safeParse(path.data).success ? path.data : undefined;
}

/** An unknown field is answered with the nearest fields, an invalid enum value with all allowed values. */
function toFieldErrors(issue: z.core.$ZodIssue, endpoint: AnyEndpoint): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    const inPath = (name: string) => issue.path.length === 0 && endpoint.path.includes(`/:${name}`);
    const names = Object.keys(findShape(endpoint.input, issue.path)).filter((name) => !inPath(name));
    const nearest = createNameSuggester(names.map((name) => ({ id: name, name })));
    return issue.keys.map((key, at) => ({
      path: [...issue.path, key].join("."),
      message: "is not a field of this request",
      ...(at < MAX_SUGGESTED_FIELDS && names.length > 0 && nearest(key)),
    }));
  }
  if (issue.code === "invalid_union") {
    const option = findNearestOption(issue.errors) ?? [];
    if (option.length > 0)
      return option.flatMap((one) => toFieldErrors({ ...one, path: [...issue.path, ...one.path] }, endpoint));
  }
  const field = { path: issue.path.join("."), message: issue.message };
  const values = issue.code === "invalid_value" ? issue.values.filter((value) => typeof value === "string") : [];
  return [values.length === 0 ? field : { ...field, allowed: values, allowed_count: values.length }];
}

/** Fields of the object at a path; none if a union leaves it open. */
function findShape(schema: unknown, [key, ...rest]: readonly PropertyKey[]): object {
  const bare = unwrapSchema(schema);
  if (bare instanceof z.ZodArray) return findShape(bare.element, rest);
  if (bare instanceof z.ZodRecord) return findShape(bare.valueType, rest);
  if (bare instanceof z.ZodUnion) {
    const objects = bare.options.filter((option) => unwrapSchema(option) instanceof z.ZodObject);
    return objects.length === 1 ? findShape(objects[0], key === undefined ? [] : [key, ...rest]) : {};
  }
  if (!(bare instanceof z.ZodObject)) return {};
  const shape = bare.shape as Readonly<Record<PropertyKey, unknown>>;
  return key === undefined ? shape : findShape(shape[key], rest);
}

/** Issues of the option that the input means: with faults inside it, or else with a wrong value. */
function findNearestOption(options: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return (
    options.find((issues) => issues.every(({ path }) => path.length > 0)) ??
    options.find((issues) => issues.every(({ code }) => code !== "invalid_type"))
  );
}

/** Path, innermost first, of the first text with NUL or a lone surrogate. Built only on a match. */
function findUnstorable(value: unknown): string[] | undefined {
  if (typeof value === "string") return isUnstorable(value) ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const key of Object.keys(value)) {
    if (!Array.isArray(value) && isUnstorable(key)) return ["(a field name)"];
    const path = findUnstorable((value as Record<string, unknown>)[key]);
    if (path) return [...path, key];
  }
  return undefined;
}

function isUnstorable(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

export interface NameOrId {
  path: string;
  kind: string;
  value: string;
}

/**
 * Replaces names by ids among the things that the caller may read, with one query per kind. Rejects
 * unknown names with suggestions and ambiguous names with their ids.
 */
export async function resolveNames(fields: readonly NamedField[], input: Input, { tenant }: Context): Promise<Input> {
  if (fields.length === 0) return input;
  const analysisId = input["project_id"] ?? input["analysis_id"];
  const scope = { tenant, analysisId: typeof analysisId === "string" ? analysisId : "" };
  const meant = new Map<NameOrId, Named[]>();
  const unknown: FieldError[] = [];
  const read = { ...input };
  for (const kind of new Set(fields.map((one) => one.kind))) {
    const named = fields.filter((one) => one.kind === kind).map(({ field }) => field);
    const searched = named.flatMap((field) => {
      const values = listNamesInField(input[field], field, kind).map(({ value }) => value);
      return values.length === 1 ? [...values, ...values.flatMap(splitAtCommas)] : values;
    });
    if (searched.length === 0) continue;
    let meanings = createNameResolver(await findNamed(kind, scope, searched));
    for (const field of named) read[field] = splitOnlyName(read[field], (value) => meanings(value).length > 0);
    const ofKind = named.flatMap((field) => listNamesInField(read[field], field, kind));
    const values = ofKind.map(({ value }) => value);
    if (values.some((value) => meanings(value).length === 0)) {
      const all = await listNamed(kind, scope);
      meanings = createNameResolver(all);
      unknown.push(...listUnknownNameErrors(ofKind, meanings, all, MAX_SUGGESTED_FIELDS - unknown.length));
    }
    for (const one of ofKind) meant.set(one, meanings(one.value));
  }
  return replaceNames(read, meant, unknown);
}

/** Splits the only entry of a list at commas if it is no name, and a part of it is. */
function splitOnlyName(value: unknown, isName: (text: string) => boolean): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const [entry] = value as [string];
  const parts = isName(entry) ? [] : splitAtCommas(entry);
  return parts.some(isName) ? parts : value;
}

/** Only the first `suggested` errors list the nearest names, because each compares all names. */
export function listUnknownNameErrors(
  names: readonly NameOrId[],
  meanings: (value: string) => readonly Named[],
  all: readonly Named[],
  suggested = MAX_SUGGESTED_FIELDS,
): FieldError[] {
  const nearest = createNameSuggester(all);
  return names
    .filter(({ value }) => meanings(value).length === 0)
    .map(({ path, kind, value }, at) => {
      const isSuggested = at < suggested;
      const message = `matches no ${kind.replaceAll("_", " ")}${isSuggested ? "; use one of allowed" : ""}`;
      return { path, message, ...(isSuggested && nearest(value)) };
    });
}

function listNamesInField(value: unknown, field: string, kind: NamedKind): NameOrId[] {
  if (typeof value === "string") return [{ path: field, kind, value }];
  if (!Array.isArray(value)) return [];
  return value.map((one: string, at) => ({ path: `${field}.${at}`, kind, value: one }));
}

function rejectAmbiguous(meant: ReadonlyMap<NameOrId, Named[]>): void {
  const fields = [...meant]
    .filter(([, found]) => found.length > 1)
    .map(([{ path }, found]): FieldError => {
      // Duplicate names are ambiguous, so ids are suggested instead.
      const names = new Set(found.map(({ name }) => name));
      const allowed = names.size === found.length ? [...names] : found.map(({ id }) => id);
      const details = found.flatMap(({ id, detail }) => (detail ? [`${id} (${detail})`] : []));
      const listed = details.length === 0 ? "" : `: ${details.join(", ")}`;
      const message = `matches several names; use one of allowed${listed}`;
      return { path, message, allowed, allowed_count: allowed.length };
    });
  if (fields.length === 0) return;
  throw new AppError("AMBIGUOUS", "A name matches several things. Give one of the allowed values instead.", { fields });
}

export function replaceNames(input: Input, meant: ReadonlyMap<NameOrId, Named[]>, unknown: FieldError[]): Input {
  if (unknown.length > 0) throw invalidInput(unknown);
  rejectAmbiguous(meant);
  const ids = new Map([...meant].map(([{ path }, [one]]) => [path, one?.id]));
  const idAt = (path: string, value: unknown) => ids.get(path) ?? value;
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.map((one, at) => idAt(`${field}.${at}`, one)) : idAt(field, value),
    ]),
  );
}
