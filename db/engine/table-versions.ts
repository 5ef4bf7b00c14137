import { getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { tables } from "../schema.ts";
import type { Connection } from "./sqlite.ts";

// Of each table the store counts the transactions that wrote to it, in the transaction itself. What a read gave is what it would give
// while none of the tables that its statements name was written to since.

/** The engine's own table, as that of the migrations: nothing but this file names it. */
export const MAKE_TABLE_VERSIONS =
  "create table if not exists table_versions (name text primary key, version integer not null) without rowid";

const every = Object.values(tables).filter((one) => is(one, SQLiteTable));
const names: ReadonlySet<string> = new Set(every.map((one) => getTableName(one)));

/** The tables that a statement names: the builder quotes all of them, as it quotes columns. */
export function tablesIn(sql: string): string[] {
  return [...new Set([...sql.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name))].filter((name) => names.has(name));
}

/** The tables that a statement can write to. */
export function tablesWrittenBy(sql: string): string[] {
  const [, verb = ""] = /^\s*(\w+)/.exec(sql) ?? [];
  if (/^select$/i.test(verb)) return [];
  const named = tablesIn(sql);
  // What a statement writes to stands first. One that begins with anything else is taken to write to all that it names.
  const written = /^(?:insert|update|replace|delete)$/i.test(verb) ? named.slice(0, 1) : named;
  return /^(?:insert|update|replace)$/i.test(verb) ? written : withDependents(written);
}

/** With the tables whose rows are deleted or changed with rows of these. */
function withDependents(written: readonly string[]): string[] {
  const found = new Set(written);
  for (const name of found) for (const dependent of dependents.get(name) ?? []) found.add(dependent);
  return [...found];
}

const dependents = new Map<string, string[]>();
for (const one of every) {
  const { name, foreignKeys } = getTableConfig(one);
  for (const { reference, onDelete = "no action" } of foreignKeys) {
    if (onDelete === "no action" || onDelete === "restrict") continue;
    const parent = getTableName(reference().foreignTable);
    dependents.set(parent, [...(dependents.get(parent) ?? []), name]);
  }
}

/** Counts a transaction for each table that it wrote to. Called before its commit. */
export function openVersionCount(connection: Connection): (written: ReadonlySet<string>) => void {
  const count = connection.prepare(
    "insert into table_versions (name, version) values (?, 1) on conflict (name) do update set version = version + 1",
  );
  return (written) => {
    for (const name of written) count.run(name);
  };
}

/** The sum of the versions of some tables on a connection's snapshot: it grows with each of them. */
export function openVersionLook(connection: Connection): (of: readonly string[]) => number {
  const looks = new Map<number, (of: readonly string[]) => number>();
  const lookAt = (count: number) => {
    const places = Array.from({ length: count }, () => "?").join(", ");
    const statement = connection
      .prepare(`select coalesce(sum(version), 0) from table_versions where name in (${places})`)
      .pluck();
    // A sum is a number.
    return (of: readonly string[]) => statement.get(...of) as number;
  };
  return (of) => {
    if (of.length === 0) return 0;
    const look = looks.get(of.length) ?? lookAt(of.length);
    looks.set(of.length, look);
    return look(of);
  };
}
