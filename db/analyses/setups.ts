import type { Instant } from "../../core/shared/time.ts";
import type { AnalysisRow } from "./analyses.ts";
import { deleteRows, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type SetupRow = typeof tables.analysisSetups.$inferSelect;

export async function insertSetup({ db: { q, t } }: Tenant, setup: SetupRow): Promise<void> {
  await q.insert(t.analysisSetups).values(setup);
}

export async function findSetup({ db: { q, t } }: Tenant, analysis: { id: string; setupVersion: number }) {
  const [row] = await q
    .select()
    .from(t.analysisSetups)
    .where(matches(t.analysisSetups, { analysisId: analysis.id, version: analysis.setupVersion }));
  if (!row) throw new Error("The analysis has no setup of its current version.");
  return row;
}

export interface SetupReplacement extends Pick<
  AnalysisRow,
  "name" | "schedule" | "endsAt" | "roundsLeft" | "roundCredits" | "nextCollectAt" | "spendCapMicros"
> {
  competitorIds: readonly string[];
  at: Instant;
}

export async function replaceSetup(
  tenant: Tenant,
  { id, setupVersion, plannedCollects, roundsLeft }: AnalysisRow,
  asked: Omit<SetupRow, "analysisId" | "version" | "createdAt">,
  { competitorIds, at, ...change }: SetupReplacement,
): Promise<AnalysisRow> {
  const { q, t } = tenant.db;
  const version = setupVersion + 1;
  await insertSetup(tenant, { ...asked, analysisId: id, version, createdAt: at });
  await deleteRows(q, t.analysisCompetitors, { analysisId: id });
  const competitors = competitorIds.map((brandId) => ({ analysisId: id, brandId }));
  if (competitors.length > 0) await q.insert(t.analysisCompetitors).values(competitors);
  const { setup, unitCredits } = asked;
  const [row] = await q
    .update(t.analyses)
    .set({
      ...change,
      setup,
      unitCredits,
      setupVersion: version,
      plannedCollects: plannedCollects - roundsLeft + change.roundsLeft,
      reckonedAt: at,
      updatedAt: at,
    })
    .where(matches(t.analyses, { id, workspaceId: tenant.workspaceId }))
    .returning();
  if (!row) throw new Error("The analysis of the changed setup does not exist.");
  return row;
}
