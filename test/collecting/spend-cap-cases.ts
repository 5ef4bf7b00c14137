import { eq, sql, type SQL } from "drizzle-orm";
import type { QueryBuilder } from "../../db/engine/store.ts";
import { buildAnalysisAccount } from "../../db/sources/spend-accounts.ts";
import { openCommitted } from "../support/committed.ts";
import { collectScene } from "./scene.ts";

type Scene = Awaited<ReturnType<typeof collectScene>>;

/** Cap in US dollars that admits exactly `answered` tasks: each reserves $1 and is billed $0.75. */
export function capFor(answered: number): number {
  return (answered - 1) * 0.75 + 1;
}

export function keywords(count: number): string[] {
  return Array.from({ length: count }, (_, nth) => `phone ${nth}`);
}

/**
 * Notes each transaction that leaves more spent and reserved for an analysis than it may; the rows
 * noted by then.
 */
export async function watchCaps({ store }: Scene) {
  const passed = sql.raw("FROM spend_caps_passed");
  await store.write(async ({ q }) => {
    const run = (statement: string) => (q as QueryBuilder & { run: (query: SQL) => unknown }).run(sql.raw(statement));
    run("CREATE TABLE spend_caps_passed (owner TEXT, micros INTEGER)");
    for (const when of ["INSERT", "UPDATE"]) {
      run(`CREATE TRIGGER watch_${when} AFTER ${when} ON spend_accounts
        WHEN NEW.spent + NEW.reserved > (SELECT spend_cap_micros FROM analyses WHERE NEW.owner = 'analysis:' || id)
        BEGIN INSERT INTO spend_caps_passed VALUES (NEW.owner, NEW.spent + NEW.reserved); END`);
    }
  });
  return async () => {
    const { q } = openCommitted(store);
    const [row] = await q.select({ count: sql<number>`(SELECT count(*) ${passed})` }).from(sql`(SELECT 1)`);
    return row?.count;
  };
}

export async function readSpending({ store }: Scene, analysis: string) {
  const { q, t } = openCommitted(store);
  const { owner } = buildAnalysisAccount(analysis.split("/").at(-1) ?? "");
  const [row] = await q.select().from(t.spendAccounts).where(eq(t.spendAccounts.owner, owner));
  return row;
}
