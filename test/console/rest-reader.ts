import type { Answer, Person } from "../support/world.ts";

// REST responses for a page's address, and number formats, independent of page code.

/** Request parameters; several values are repeated. */
type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** A REST endpoint, with the names of page choices. */
export interface Endpoint {
  path: (of: Subject) => string;
  always?: (of: Subject) => Parameters;
  choices: Readonly<Record<string, string>>;
}

/** Analysis that the pages show. */
export interface Subject {
  organizationId: string;
  workspaceId: string;
  analysisId: string;
  /** Id of the own brand. */
  own: string;
}

export type Row = Readonly<Record<string, unknown>>;

/** REST access for a page's address. */
export interface RestReader extends Subject {
  query: URLSearchParams;
  /** Response for all choices of the address, or for the named ones. */
  rest: (endpoint: Endpoint, more?: Parameters, choices?: readonly string[]) => Promise<Answer["body"]>;
}

/** REST access as one person, cached. */
export function createRestReader(person: Person) {
  const known = new Map<string, Promise<Answer["body"]>>();
  return (of: Subject, query: URLSearchParams): RestReader => ({
    ...of,
    query,
    rest(endpoint, more = {}, choices = Object.keys(endpoint.choices)) {
      const chosen = choices.flatMap((name) => {
        const value = query.get(name);
        const parameter = endpoint.choices[name];
        return value && parameter !== undefined ? [[parameter, value] as const] : [];
      });
      const search = new URLSearchParams();
      const all = { ...endpoint.always?.(of), ...Object.fromEntries(chosen), ...more };
      for (const [name, value] of Object.entries(all)) for (const one of [value].flat()) search.append(name, one);
      const address = `${endpoint.path(of)}?${search.toString()}`;
      const asked = known.get(address) ?? get(person, address);
      known.set(address, asked);
      return asked;
    },
  });
}

async function get(person: Person, address: string): Promise<Answer["body"]> {
  const { status, body } = await person.get(address);
  if (status !== 200) throw new Error(`${address}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** All rows of a paged list. */
export async function listAllRows({ rest }: RestReader, endpoint: Endpoint, more: Parameters): Promise<Row[]> {
  const rows: Row[] = [];
  // The address's page parameter does not apply.
  const choices = Object.keys(endpoint.choices).filter((name) => name !== "cursor");
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, next_cursor: next } = await rest(
      endpoint,
      { ...more, ...(cursor === undefined ? {} : { cursor }) },
      choices,
    );
    rows.push(...(data as Row[]));
    cursor = (next as string | undefined) ?? null;
  }
  return rows;
}

type Format = (value: number) => string;

export const formatPercent: Format = (share) => `${(share * 100).toFixed(1)} %`;
/** Value within an interval, whose unit is at the end. */
export const formatBarePercent: Format = (share) => (share * 100).toFixed(1);
export const formatPoints: Format = (share) => `${share > 0 ? "+" : ""}${(share * 100).toFixed(1).replace("-", "−")}`;
export const formatDecimals =
  (digits: number): Format =>
  (value) =>
    value.toFixed(digits);
export const formatWhole: Format = (value) => value.toLocaleString("en-US");

/**
 * Fields of a row in the order in which a page shows them, with how each is written; `change.delta`
 * is within another.
 */
export type Fields = Readonly<Record<string, Format>>;

/** Text of a row's metrics: `46.2 % [0.4615]`; empty if unknown. */
export function formatFields(row: Row | undefined, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([path, format]) => {
    const value = readField(row, path);
    return typeof value === "number" ? [formatWithValue(value, format)] : [];
  });
}

export function formatWithValue(value: number, format: Format): string {
  return `${format(value)} [${value}]`;
}

export function readField(row: Row | undefined, path: string): unknown {
  return path.split(".").reduce<unknown>((of, name) => (of as Row | null | undefined)?.[name], row);
}

/** Value of a download column: a field, or a nested one (`change_verdict`). */
export function readColumn(row: Row, column: string): string {
  if (column in row) return cellText(row[column]);
  const outer = Object.keys(row).find((name) => column.startsWith(`${name}_`) && isObject(row[name]));
  return outer === undefined ? "" : cellText(readField(row, `${outer}.${column.slice(outer.length + 1)}`));
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Text in a download, with an apostrophe where a formula could start. */
function cellText(value: unknown): string {
  if (typeof value === "string") return value.replace(/(^|[;\t\r\n])(?='*[" ]*[=+\-@])/g, "$1'");
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
