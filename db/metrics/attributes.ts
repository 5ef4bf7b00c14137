import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Tenant } from "../engine/store.ts";
import { settingsToReadWith } from "../analyses/asked-prompts.ts";

/** The attributes that an analysis of the workspace asks for, in the order of its setup, then those that its prompts asked for before. */
export async function listAttributes({ db: { q, t }, workspaceId }: Tenant, analysisId: string): Promise<string[]> {
  const isItsSetup = and(
    eq(t.analysisSetups.analysisId, t.analyses.id),
    eq(t.analysisSetups.version, t.analyses.setupVersion),
  );
  const [present] = await q
    .select({ setup: t.analysisSetups.setup })
    .from(t.analyses)
    .innerJoin(t.analysisSetups, isItsSetup)
    .where(and(eq(t.analyses.id, analysisId), eq(t.analyses.workspaceId, workspaceId)));
  if (!present) return [];
  const asked = await q
    .selectDistinct({ attribute: t.questions.attribute })
    .from(t.questions)
    .where(and(eq(t.questions.analysisId, analysisId), isNotNull(t.questions.attribute)))
    .orderBy(asc(t.questions.attribute));
  const { attributes = [] } = settingsToReadWith(present.setup);
  return [...new Set([...attributes, ...asked.flatMap(({ attribute }) => attribute ?? [])])];
}
