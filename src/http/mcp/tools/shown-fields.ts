import type { AnyEndpoint } from "../../../../tools/endpoint.ts";

type Fields = Record<string, unknown>;

/** The columns that a list shows where `fields` names none. */
export function defaultColumns(endpoint: AnyEndpoint, columns: readonly string[]): readonly string[] {
  return (endpoint.toolColumns ?? columns).filter(isWorthShowing(columns, givenIds(endpoint)));
}

/**
 * Rows without what says nothing, at every depth: columns that are null in every row, ids that the call itself gave or whose
 * name stands beside them, and offsets into texts.
 */
export function leanRows(endpoint: AnyEndpoint, rows: readonly Fields[]): Fields[] {
  return lean(rows, givenIds(endpoint));
}

/** An object whose lists are lean, without the ids that the call gave, and of fields on request with the included ones alone. */
export function leanObject(endpoint: AnyEndpoint, whole: Fields, included: readonly string[]): Fields {
  const given = givenIds(endpoint);
  const { onRequest = [] } = endpoint;
  const kept = Object.entries(whole).filter(
    ([key]) => !given.has(key) && (included.includes(key) || !onRequest.includes(key)),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [key, included.includes(key) ? value : leanWithin(value, given)]),
  );
}

/** Names of the ids that every call of an endpoint has in its address. */
function givenIds({ path }: AnyEndpoint): ReadonlySet<string> {
  return new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ""));
}

function isWorthShowing(columns: readonly string[], given: ReadonlySet<string>): (column: string) => boolean {
  return (column) =>
    !given.has(column) && !(column.endsWith("_id") && columns.includes(column.slice(0, -"_id".length)));
}

const OFFSETS = new Set(["start", "end"]);

function lean(rows: readonly Fields[], given: ReadonlySet<string>): Fields[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) => !OFFSETS.has(column));
  const telling = columns
    .filter(isWorthShowing(columns, given))
    .filter((column) => rows.some((row) => row[column] !== null && row[column] !== undefined));
  const shown = new Map(
    telling.map((column) => [
      column,
      leanColumn(
        rows.map((row) => row[column]),
        given,
      ),
    ]),
  );
  return rows.map((row, at) =>
    Object.fromEntries(telling.filter((column) => column in row).map((column) => [column, shown.get(column)?.[at]])),
  );
}

/** The values of one column; objects in it are rows of columns themselves. */
function leanColumn(values: readonly unknown[], given: ReadonlySet<string>): unknown[] {
  const objects = values.filter(isFields);
  if (objects.length === 0) return values.map((value) => leanWithin(value, given));
  const leaned = lean(objects, given).values();
  return values.map((value) => (isFields(value) ? leaned.next().value : value));
}

function leanWithin(value: unknown, given: ReadonlySet<string>): unknown {
  if (isRows(value)) return lean(value, given);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, leanWithin(inner, given)]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFields);
}
