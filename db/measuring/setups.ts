import { and, eq } from "drizzle-orm";
import type { Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export type SetupRow = typeof tables.analysisSetups.$inferSelect;

/** Stores a version of what an analysis of this workspace asks. */
export async function insertSetup({ db: { q, t } }: Tenant, setup: SetupRow): Promise<void> {
  await q.insert(t.analysisSetups).values(setup);
}

/** What the next collect of an analysis of this workspace asks. Every analysis has it. */
export async function findSetup(
  { db: { q, t } }: Tenant,
  analysis: { id: string; setupVersion: number },
): Promise<SetupRow> {
  const [row] = await q
    .select()
    .from(t.analysisSetups)
    .where(and(eq(t.analysisSetups.analysisId, analysis.id), eq(t.analysisSetups.version, analysis.setupVersion)));
  if (!row) throw new Error("The analysis has no setup of its version.");
  return row;
}
