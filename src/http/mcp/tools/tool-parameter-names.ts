import { AppError, invalidInput, type FieldError } from "../../../../core/shared/errors.ts";
import { createNameSuggester } from "../../../../core/shared/names.ts";
import { MAX_SUGGESTED_FIELDS, MAX_UNKNOWN_ARGUMENTS } from "../../../../core/shared/request-bounds.ts";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";

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

/** Tool name of a REST parameter. */
export function toToolParameterName(name: string): string {
  return PARAMETER_NAMES[name] ?? name.replace(/_id(s?)$/, "$1");
}

/**
 * Arguments under the endpoint's names. REST names are also accepted, because results use them and
 * clients cache old listings.
 */
export function toRestArguments({ input }: AnyEndpoint, given: Fields): Fields {
  const shape: Fields = input.shape;
  const restNames = getRestNames(shape);
  const named = Object.entries(given).map(([key, value]) => [key in shape ? key : (restNames.get(key) ?? key), value]);
  return Object.fromEntries(named) as Fields;
}

const namesOfShapes = new WeakMap<Fields, ReadonlyMap<string, string>>();

/** Endpoint names by tool name, cached. */
function getRestNames(shape: Fields): ReadonlyMap<string, string> {
  const names =
    namesOfShapes.get(shape) ?? new Map(Object.keys(shape).map((name) => [toToolParameterName(name), name]));
  namesOfShapes.set(shape, names);
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
  const shape: Fields = endpoint.input.shape;
  const names = Object.keys(given);
  const unknown = names.filter((key) => !(key in shape) && !taken.includes(key));
  const twice = names.filter(
    (key) => key in shape && toToolParameterName(key) !== key && toToolParameterName(key) in given,
  );
  return unknown.length + twice.length === 0 ? undefined : () => createArgumentsError(unknown, twice, taken);
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
    message: "is given twice, as a name and as an id; use one of them",
  }));
  return invalidInput([...refused, ...repeated]);
}

/** Replaces parameter names in a text by tool names. */
export function insertToolNames({ input }: AnyEndpoint, text: string): string {
  const shape: Fields = input.shape;
  return text.replaceAll(/\b[a-z_]+\b/g, (word) => (Object.hasOwn(shape, word) ? toToolParameterName(word) : word));
}

/** Field errors under tool names: `topics.0`. */
export function toToolFieldErrors(endpoint: AnyEndpoint, fields: readonly FieldError[]): FieldError[] {
  return fields.map(({ path, message, ...rest }) => ({
    path: path.replace(/^[a-z_]+/, (word) => insertToolNames(endpoint, word)),
    message: insertToolNames(endpoint, message),
    ...rest,
  }));
}
