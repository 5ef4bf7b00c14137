import { AppError, invalidInput, type FieldError } from "../../../../core/shared/errors.ts";
import { createNameSuggester } from "../../../../core/shared/names.ts";
import { MAX_SUGGESTED_FIELDS, MAX_UNKNOWN_ARGUMENTS } from "../../../../core/shared/request-bounds.ts";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { getToolInput } from "../../../call/call-targets.ts";
import { findSynonym } from "./synonyms.ts";

type Fields = Record<string, unknown>;

/** Tool names of REST parameters; other ids drop the suffix `_id`. */
const PARAMETER_NAMES: Readonly<Record<string, string>> = {
  client_id: "organization",
  project_id: "analysis",
  result_id: "action",
  prev_collect_id: "previous_collect",
  prev_collect_ids: "previous_collects",
  weakness_ids: "weaknesses",
  keyword_type: "keyword_types",
  search_query: "text",
  sort_column: "sort",
  // Used under this name in all texts about spending.
  quote_id: "quote_id",
};

export function toToolParameterName(name: string): string {
  return PARAMETER_NAMES[name] ?? name.replace(/_id(s?)$/, "$1");
}

/**
 * Arguments under the endpoint's names. REST names are also accepted, because results use them and
 * clients cache old listings, and so are synonyms.
 */
export function toRestArguments(endpoint: AnyEndpoint, given: Fields): Fields {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [toRestName(endpoint, key) ?? key, value]));
}

function toRestName(endpoint: AnyEndpoint, key: string): string | undefined {
  const names = getRestNames(endpoint);
  return names.get(key) ?? names.get(findSynonym(key, (name) => names.has(name)) ?? "");
}

const namesByEndpoint = new WeakMap<AnyEndpoint, ReadonlyMap<string, string>>();

function getRestNames(endpoint: AnyEndpoint): ReadonlyMap<string, string> {
  const fields = Object.keys(getToolInput(endpoint).shape);
  const names =
    namesByEndpoint.get(endpoint) ??
    new Map([
      ...fields.map((name) => [toToolParameterName(name), name] as const),
      ...fields.map((name) => [name, name] as const),
    ]);
  namesByEndpoint.set(endpoint, names);
  return names;
}

/**
 * Detects unknown and duplicate arguments. Returns a function that creates the error with
 * suggestions, so that the caller can be admitted first; undefined without faults.
 */
export function findInvalidArguments(
  endpoint: AnyEndpoint,
  taken: readonly string[],
  given: Fields,
): (() => AppError) | undefined {
  const names = Object.keys(given).map((key) => toRestName(endpoint, key) ?? key);
  const unknown = Object.keys(given).filter((key) => !taken.includes(key) && toRestName(endpoint, key) === undefined);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (unknown.length + twice.length === 0) return undefined;
  const own = Object.keys(getToolInput(endpoint).shape).map(toToolParameterName);
  return () => createArgumentsError(unknown, twice, [...new Set([...taken, ...own])]);
}

function createArgumentsError(
  unknown: readonly string[],
  twice: readonly string[],
  allowed: readonly string[],
): AppError {
  if (unknown.length > MAX_UNKNOWN_ARGUMENTS) {
    return new AppError(
      "VALIDATION_FAILED",
      `A call can have at most ${MAX_UNKNOWN_ARGUMENTS} unknown arguments. tools/list shows the parameters of each tool.`,
    );
  }
  const nearest = createNameSuggester(allowed.map((name) => ({ id: name, name })));
  const refused = unknown.map((path, at) => {
    return { path, message: "is not a parameter of this tool", ...(at < MAX_SUGGESTED_FIELDS && nearest(path)) };
  });
  const repeated = twice.map((id) => ({
    path: toToolParameterName(id),
    message: "is given twice, under two names; use one of them",
  }));
  return invalidInput([...refused, ...repeated]);
}

export function insertToolNames(endpoint: AnyEndpoint, text: string): string {
  const { shape } = getToolInput(endpoint);
  return text.replaceAll(/\b[a-z_]+\b/g, (word) => (Object.hasOwn(shape, word) ? toToolParameterName(word) : word));
}

export function toToolFieldErrors(endpoint: AnyEndpoint, fields: readonly FieldError[]): FieldError[] {
  return fields.map(({ path, message, ...rest }) => ({
    path: path.replace(/^[a-z_]+/, (word) => insertToolNames(endpoint, word)),
    message: insertToolNames(endpoint, message),
    ...rest,
  }));
}
