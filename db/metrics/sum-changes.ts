import { and, eq, getTableColumns, sql, type Column } from "drizzle-orm";
import type { Tables } from "../schema.ts";
import { prepareQuery, type Db } from "../engine/store.ts";

/** Key of a row within a collect. */
const TABLE_KEYS = {
  collectSums: ["source", "method", "keywordClass"],
  collectFacts: ["source", "method"],
  keywordChannels: ["source", "method"],
  collectLinks: ["source", "method", "holds", "part"],
  collectAwareness: ["source", "method"],
  collectPerception: ["source", "method"],
  claims: ["answerKey", "factId"],
  collectClaims: ["source", "method", "brandNumber"],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

type SumTable = keyof typeof TABLE_KEYS;
const SUM_TABLES = Object.keys(TABLE_KEYS) as SumTable[]; // safe: TABLE_KEYS has no other keys
type SumRow = Record<string, unknown>;

export type SumRows = { [Name in SumTable]: Tables[Name]["$inferSelect"][] };

export interface SumChange {
  table: SumTable;
  before: SumRow | undefined;
  after: SumRow | undefined;
}

export type CommonSums = Omit<SumRows, "collectAwareness" | "collectPerception" | "claims" | "collectClaims">;

export async function listSums({ q, t }: Db, collectId: string): Promise<CommonSums> {
  return {
    collectSums: await q.select().from(t.collectSums).where(eq(t.collectSums.collectId, collectId)),
    collectFacts: await q.select().from(t.collectFacts).where(eq(t.collectFacts.collectId, collectId)),
    keywordChannels: await q.select().from(t.keywordChannels).where(eq(t.keywordChannels.collectId, collectId)),
    collectLinks: await q.select().from(t.collectLinks).where(eq(t.collectLinks.collectId, collectId)),
  };
}

/** Both must list the same tables. Omits equal rows. */
export function compareSums(stored: Partial<SumRows>, wanted: Partial<SumRows>): SumChange[] {
  return SUM_TABLES.flatMap((table) => {
    const left = new Map<string, SumRow>(stored[table]?.map((row) => [toRowKey(table, row), row]));
    const changes = (wanted[table] ?? []).flatMap((after): SumChange[] => {
      const key = toRowKey(table, after);
      const before = left.get(key);
      left.delete(key);
      return before && isSame(before, after) ? [] : [{ table, before, after }];
    });
    return [...changes, ...Array.from(left.values(), (before) => ({ table, before, after: undefined }))];
  });
}

function toRowKey(table: SumTable, row: SumRow): string {
  return JSON.stringify(TABLE_KEYS[table].map((column) => row[column]));
}

function isSame(stored: SumRow, wanted: SumRow): boolean {
  return Object.entries(wanted).every(([column, value]) => {
    const known = stored[column];
    // Skips the published sums, which `publishSums` and `replaceSums` set.
    if (column === "published") return true;
    return known === value || (Buffer.isBuffer(known) && Buffer.isBuffer(value) && known.equals(value));
  });
}

/** Keeps transactions short. */
const MAX_ROWS_PER_BATCH = 250;
const MAX_BYTES_PER_BATCH = 1024 * 1024;

export function splitChanges(changes: readonly SumChange[]): SumChange[][] {
  const parts: SumChange[][] = [];
  let bytes = Infinity;
  for (const change of changes) {
    const packed = Object.values(change.after ?? {}).find((value) => value instanceof Uint8Array);
    bytes += packed?.byteLength ?? 0;
    const open = parts.at(-1);
    if (open && open.length < MAX_ROWS_PER_BATCH && bytes <= MAX_BYTES_PER_BATCH) open.push(change);
    else {
      parts.push([change]);
      bytes = packed?.byteLength ?? 0;
    }
  }
  return parts;
}

export async function storeSumChanges(db: Db, collectId: string, changes: readonly SumChange[]): Promise<void> {
  for (const table of SUM_TABLES) {
    const own = changes.filter((change) => change.table === table);
    const removed = own.map((change) => change.before).filter((row) => row !== undefined);
    const added = own.map((change) => change.after).filter((row) => row !== undefined);
    for (const row of removed) await DELETE_QUERIES[table](db, { ...row, collectId });
    // `compareSums` only pairs rows of the same table.
    await db.bulkInsert(db.t[table], added as never[]);
  }
}

/** Prepared per connection: thousands of rows can change after a re-extraction. */
const DELETE_QUERIES = Object.fromEntries(SUM_TABLES.map((table) => [table, prepareDeletion(table)])) as Record<
  SumTable,
  ReturnType<typeof prepareDeletion>
>;

function prepareDeletion(name: SumTable) {
  return prepareQuery(({ q, t }) => {
    const table = t[name];
    const columns = getTableColumns(table) as Record<string, Column>;
    const keys = ["collectId", ...TABLE_KEYS[name]].map((key) => {
      const column = columns[key];
      // Encodes values like the column does: SQLite has no booleans.
      return sql`${column} = ${sql.param(sql.placeholder(key), column)}`;
    });
    return q.delete(table).where(and(...keys));
  });
}
