import { asc, isNotNull } from "drizzle-orm";
import { matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import { extractionSettings } from "../analyses/prompt-context.ts";

/** Attributes of the current setup in its order, then those of earlier prompts. */
export async function listAttributes({ db: { q, t }, workspaceId }: Tenant, analysisId: string): Promise<string[]> {
  const isItsSetup = matches(t.analysisSetups, { analysisId: t.analyses.id, version: t.analyses.setupVersion });
  const [present] = await q
    .select({ setup: t.analysisSetups.setup })
    .from(t.analyses)
    .innerJoin(t.analysisSetups, isItsSetup)
    .where(matches(t.analyses, { id: analysisId, workspaceId }));
  if (!present) return [];
  const asked = await q
    .selectDistinct({ attribute: t.questions.attribute })
    .from(t.questions)
    .where(matches(t.questions, { analysisId, attribute: isNotNull }))
    .orderBy(asc(t.questions.attribute));
  const { attributes = [] } = extractionSettings(present.setup);
  return [...new Set([...attributes, ...asked.flatMap(({ attribute }) => attribute ?? [])])];
}
