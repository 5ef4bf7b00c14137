import { Column, getTableName, is, SQL } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";

/** What the builder selects as one value of a row, at `path` of the object that it makes of the row. */
interface Selected {
  path: string[];
  field: unknown;
}

/** What the builder makes of a query. */
interface Prepared {
  fields?: Selected[];
  customResultMapper?: unknown;
  /** True at the name of each table that a join always finds a row of; undefined for a query without joins. */
  joinsNotNullableMap?: Record<string, boolean>;
  all(values?: Record<string, unknown>): unknown;
  values(values?: Record<string, unknown>): unknown[][];
}

type Decode = ((value: unknown) => unknown) | undefined;

/**
 * The same builder, whose queries look up once, and not for each value of each row, how a selected value is decoded. Rows with objects
 * in objects are still made by the builder.
 */
export function withFastRows(q: BetterSQLite3Database): BetterSQLite3Database {
  // The builder names its session internal; nothing else sees every query that it prepares.
  const { session } = q as unknown as { session: { prepareQuery(...given: unknown[]): Prepared } };
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...given) => {
    const prepared = prepareQuery(...given);
    const { fields } = prepared;
    if (!fields || prepared.customResultMapper !== undefined) return prepared;
    if (fields.some(({ path }) => path.length > 2)) return prepared;
    let read: ((row: unknown[]) => unknown) | undefined;
    prepared.all = (values) => prepared.values(values).map((read ??= rowReader(fields, prepared.joinsNotNullableMap)));
    return prepared;
  };
  return q;
}

type Row = Record<string, unknown>;

/** Where a value of a row is read: at `at` of what the store gives, or an object of several of them. */
interface Place {
  name: string;
  at: number;
  decode: Decode;
  inner?: (row: unknown[]) => Row | null;
}

/** Makes the object of a row. `joins` as the builder has it. */
function rowReader(selected: readonly Selected[], joins: Prepared["joinsNotNullableMap"]): (row: unknown[]) => Row {
  const places = placesOf(
    selected.map(({ path, field }, at) => ({ path, field, at })),
    joins,
  );
  return (row) => objectOf(places, row);
}

function objectOf(places: readonly Place[], row: unknown[]): Row {
  const read: Row = {};
  for (const { name, at, decode, inner } of places) {
    if (inner) read[name] = inner(row);
    else {
      const value = row[at];
      read[name] = decode && value !== null ? decode(value) : value;
    }
  }
  return read;
}

interface At extends Selected {
  at: number;
}

/** One place for each first name of the paths, in their order. */
function placesOf(fields: readonly At[], joins: Prepared["joinsNotNullableMap"]): Place[] {
  const names = [...new Set(fields.map(({ path: [name = ""] }) => name))];
  return names.map((name) => {
    const own = fields.filter(({ path }) => path[0] === name);
    const [{ path, field, at }] = own as [At];
    if (path.length === 1) return { name, at, decode: decoderOf(field) };
    const inner = placesOf(
      own.map((one) => ({ ...one, path: one.path.slice(1) })),
      joins,
    );
    const missing = joins && missingAt(own, joins);
    return {
      name,
      at,
      decode: undefined,
      inner: (row) => (missing !== undefined && row[missing] === null ? null : objectOf(inner, row)),
    };
  });
}

/** The column that is null where the joined row of an object is missing, as the builder tells it; undefined of what is never missing. */
function missingAt(own: readonly At[], joins: Record<string, boolean>): number | undefined {
  const columns = own.flatMap(({ field, at }) => (is(field, Column) ? { table: getTableName(field.table), at } : []));
  const [first] = columns;
  if (!first || joins[first.table] || columns.some(({ table }) => table !== first.table)) return undefined;
  return first.at;
}

/** Undefined where the store's value is the row's. */
function decoderOf(field: unknown): Decode {
  if (is(field, Column)) {
    const isKept = field.mapFromDriverValue === Column.prototype.mapFromDriverValue;
    return isKept ? undefined : (value) => field.mapFromDriverValue(value);
  }
  const { decoder } = (is(field, SQL) ? field : (field as { sql: SQL }).sql) as unknown as {
    decoder: { mapFromDriverValue(value: unknown): unknown };
  };
  return (value) => decoder.mapFromDriverValue(value);
}
