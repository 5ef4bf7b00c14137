import { and, eq, getTableColumns, sql, type Column } from "drizzle-orm";
import type { Tables } from "../schema.ts";
import { prepared, type Db } from "../engine/store.ts";

/** Tables that metrics read instead of answers, with the key of a row within a collect. */
const KEYS = {
  collectSums: ["source", "method", "keywordClass"],
  collectFacts: ["source", "method"],
  keywordChannels: ["source", "method"],
  collectLinks: ["source", "method", "holds", "part"],
  collectAwareness: ["source", "method"],
  collectPerception: ["source", "method"],
  claims: ["answerKey", "factId"],
  collectClaims: ["source", "method", "brandNumber"],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>;

type SumTable = keyof typeof KEYS;
const TABLES = Object.keys(KEYS) as SumTable[]; // KEYS has no other keys
type Row = Record<string, unknown>;

export type SumRows = { [Name in SumTable]: Tables[Name]["$inferSelect"][] };

export interface SumChange {
  table: SumTable;
  gone: Row | undefined;
  come: Row | undefined;
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

/** Changes from `stored` to `wanted`, which must list the same tables. Omits equal rows. */
export function changesBetween(stored: Partial<SumRows>, wanted: Partial<SumRows>): SumChange[] {
  return TABLES.flatMap((table) => {
    const left = new Map<string, Row>(stored[table]?.map((row) => [keyOf(table, row), row]));
    const changes = (wanted[table] ?? []).flatMap((come): SumChange[] => {
      const key = keyOf(table, come);
      const gone = left.get(key);
      left.delete(key);
      return gone && isSame(gone, come) ? [] : [{ table, gone, come }];
    });
    return [...changes, ...Array.from(left.values(), (gone) => ({ table, gone, come: undefined }))];
  });
}

function keyOf(table: SumTable, row: Row): string {
  return JSON.stringify(KEYS[table].map((column) => row[column]));
}

function isSame(stored: Row, wanted: Row): boolean {
  return Object.entries(wanted).every(([column, value]) => {
    const known = stored[column];
    // Not computed: `publishSums` and `replaceSums` set it.
    if (column === "published") return true;
    return known === value || (Buffer.isBuffer(known) && Buffer.isBuffer(value) && known.equals(value));
  });
}

/** Max rows and packed bytes per transaction; keeps transactions short. */
const ROWS_AT_ONCE = 250;
const BYTES_AT_ONCE = 1024 * 1024;

export function partsOf(changes: readonly SumChange[]): SumChange[][] {
  const parts: SumChange[][] = [];
  let bytes = Infinity;
  for (const change of changes) {
    const packed = Object.values(change.come ?? {}).find((value) => value instanceof Uint8Array);
    bytes += packed?.byteLength ?? 0;
    const open = parts.at(-1);
    if (open && open.length < ROWS_AT_ONCE && bytes <= BYTES_AT_ONCE) open.push(change);
    else {
      parts.push([change]);
      bytes = packed?.byteLength ?? 0;
    }
  }
  return parts;
}

export async function storeSumChanges(db: Db, collectId: string, changes: readonly SumChange[]): Promise<void> {
  for (const table of TABLES) {
    const own = changes.filter((change) => change.table === table);
    const gone = own.map((change) => change.gone).filter((row) => row !== undefined);
    const come = own.map((change) => change.come).filter((row) => row !== undefined);
    for (const row of gone) await DELETIONS[table](db, { ...row, collectId });
    // `changesBetween` only pairs rows of the same table.
    await db.bulkInsert(db.t[table], come as never[]);
  }
}

/** Prepared per connection: thousands of rows can change after a re-extraction. */
const DELETIONS = Object.fromEntries(TABLES.map((table) => [table, deletionFrom(table)])) as Record<
  SumTable,
  ReturnType<typeof deletionFrom>
>;

function deletionFrom(name: SumTable) {
  return prepared(({ q, t }) => {
    const table = t[name];
    const columns = getTableColumns(table) as Record<string, Column>;
    const keys = ["collectId", ...KEYS[name]].map((key) => {
      const column = columns[key];
      // Encodes values like the column does: SQLite has no booleans.
      return sql`${column} = ${sql.param(sql.placeholder(key), column)}`;
    });
    return q.delete(table).where(and(...keys));
  });
}
