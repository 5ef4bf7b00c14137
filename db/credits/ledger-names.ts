import { inArray } from "drizzle-orm";
import type { Db } from "../engine/store.ts";
import type { LedgerRow } from "./credits.ts";

/** Names of the workspaces, analyses and evaluations of ledger rows, and numbers of their runs, by id. */
export async function findLedgerNames({ q, t }: Db, rows: readonly LedgerRow[]) {
  const listIds = (key: "workspaceId" | "analysisId" | "evaluationId" | "collectId") => [
    ...new Set(rows.flatMap((row) => row[key] ?? [])),
  ];
  const findNames = (table: typeof t.workspaces | typeof t.analyses | typeof t.assetEvaluations, ids: string[]) =>
    q.select({ id: table.id, name: table.name }).from(table).where(inArray(table.id, ids));
  const named = [
    ...(await findNames(t.workspaces, listIds("workspaceId"))),
    ...(await findNames(t.analyses, listIds("analysisId"))),
    ...(await findNames(t.assetEvaluations, listIds("evaluationId"))),
  ];
  const runs = await q
    .select({ id: t.collects.id, number: t.collects.number })
    .from(t.collects)
    .where(inArray(t.collects.id, listIds("collectId")));
  return {
    names: new Map(named.map(({ id, name }) => [id, name])),
    numbers: new Map(runs.map(({ id, number }) => [id, number])),
  };
}
