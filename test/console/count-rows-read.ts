import { vi } from "vitest";
import { Database, type Connection } from "../../db/engine/sqlite/sqlite.ts";

type Statement = ReturnType<Connection["prepare"]>;

/**
 * How many rows readers were given while some work was done, by the table that they were selected
 * from.
 */
export async function countRowsRead(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const memory = new Database(":memory:");
  // All statements share a prototype.
  const statements = Object.getPrototypeOf(memory.prepare("select 1")) as Pick<Statement, "all">;
  memory.close();
  const all = vi.spyOn(statements, "all");
  try {
    await work();
    const rows: Record<string, number> = {};
    for (const [at, { value }] of all.mock.results.entries()) {
      const { source } = all.mock.contexts[at] as Statement; // the receiver of the call
      const [, table] = /\bfrom "(\w+)"/.exec(source) ?? [];
      if (table !== undefined) rows[table] = (rows[table] ?? 0) + (value as unknown[]).length;
    }
    return rows;
  } finally {
    all.mockRestore();
  }
}
