import { inArray, lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/shared/time.ts";
import type { Db } from "./store.ts";

export async function deleteSome(
  { q }: Db,
  table: SQLiteTable,
  condition: SQL | undefined,
  maxRows: number,
): Promise<number> {
  const row = sql`rowid`;
  const some = q.select({ row }).from(table).where(condition).limit(maxRows);
  const { changes } = await q.delete(table).where(inArray(row, some));
  return changes;
}

export const EXPIRING_TABLES = [
  "oauthRecords",
  "refreshTokens",
  "tokenFamilies",
  "webSessions",
  "samlAssertions",
  "oneTimeLinks",
  "factorChallenges",
  "ssoLogins",
  "ssoCodes",
  "heldForms",
  "platformConsents",
] as const;

export function deleteExpired(
  db: Db,
  name: (typeof EXPIRING_TABLES)[number],
  before: Instant,
  most: number,
): Promise<number> {
  const table = db.t[name];
  return deleteSome(db, table, lt(table.expiresAt, before), most);
}
