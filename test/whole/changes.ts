import { Database } from "../../db/engine/sqlite/sqlite.ts";

/** Detects the tables that were written, by triggers in the same transaction. */
export interface Changes {
  /** A mark to ask from later. */
  count(): number;
  /** Tables that were changed since a mark. */
  since(mark: number): string[];
  close(): void;
}

/**
 * Tables that a rejected call may write: audit entries of rejections, and holds on uploaded files
 * until the request ends.
 */
const IGNORED_TABLES = new Set(["audit_log", "file_holds", "fuzz_changes", "__drizzle_migrations"]);

/** Columns of first and last use, which a rejected call also updates. */
const USE_COLUMNS = new Set(["first_used_at", "last_used_at"]);

/** Watches every table of a database that a running service writes. */
export function watchChanges(file: string): Changes {
  const connection = new Database(file);
  connection.pragma("busy_timeout = 5000");
  connection.exec("create table fuzz_changes (id integer primary key, name text not null)");
  const names = connection
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[];
  for (const name of names.filter((one) => !IGNORED_TABLES.has(one))) {
    const columns = connection.prepare(`select name from pragma_table_info('${name}')`).pluck().all() as string[];
    const kept = columns.filter((column) => !USE_COLUMNS.has(column)).map((column) => `"${column}"`);
    for (const when of ["insert", "delete", `update of ${kept.join(", ")}`]) {
      const trigger = `"fuzz ${name} ${when.slice(0, 6)}"`;
      const noted = `insert into fuzz_changes (name) values ('${name}')`;
      connection.exec(`create trigger ${trigger} after ${when} on "${name}" begin ${noted}; end`);
    }
  }
  const newest = connection.prepare("select coalesce(max(id), 0) from fuzz_changes").pluck();
  const after = connection.prepare("select distinct name from fuzz_changes where id > ?").pluck();
  return {
    count: () => newest.get() as number,
    since: (mark) => after.all(mark) as string[],
    close: () => connection.close(),
  };
}
