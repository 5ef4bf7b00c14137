import { eq } from "drizzle-orm";
import { CHOSEN_METHODS, type ChosenMethod } from "../../core/sources/sources.ts";
import { selectCountedParts, hasSeveralMethods, type CollectedPart } from "../../core/metrics/select-counted-parts.ts";
import type { Db } from "../engine/store.ts";

export async function listMethods({ q, t }: Db, analysisId: string): Promise<ChosenMethod[]> {
  const [row] = await q.select({ setup: t.analyses.setup }).from(t.analyses).where(eq(t.analyses.id, analysisId));
  return readMethods(row?.setup);
}

/** One method per source: methods are not counted together. */
export async function listCountedParts<Part extends CollectedPart>(db: Db, collectId: string, parts: readonly Part[]) {
  return selectCountedParts(parts, hasSeveralMethods(parts) ? await listMethodsOfCollect(db, collectId) : []);
}

export async function listCountedMethods(db: Db, collectId: string): Promise<CollectedPart[]> {
  const { collectFacts } = db.t;
  const { source, method } = collectFacts;
  const ways = await db.q.select({ source, method }).from(collectFacts).where(eq(collectFacts.collectId, collectId));
  return listCountedParts(db, collectId, ways);
}

async function listMethodsOfCollect({ q, t }: Db, collectId: string): Promise<ChosenMethod[]> {
  const [row] = await q
    .select({ setup: t.analyses.setup })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(eq(t.collects.id, collectId));
  return readMethods(row?.setup);
}

function readMethods(setup: Record<string, unknown> = {}): ChosenMethod[] {
  const named = setup["methods"];
  return Array.isArray(named) ? named.flatMap((one) => CHOSEN_METHODS.find((method) => method === one) ?? []) : [];
}
