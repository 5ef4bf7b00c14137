import { eq } from "drizzle-orm";
import { CHOSEN_METHODS, type ChosenMethod } from "../../core/asked-sources.ts";
import type { Db } from "../engine/store.ts";

/** The methods that an analysis asks by, in its order; none where its setup names none. */
export async function listMethods({ q, t }: Db, analysisId: string): Promise<ChosenMethod[]> {
  const [row] = await q.select({ setup: t.analyses.setup }).from(t.analyses).where(eq(t.analyses.id, analysisId));
  return methodsIn(row?.setup);
}

/** The same of the analysis of a collect. */
export async function listMethodsOfCollect({ q, t }: Db, collectId: string): Promise<ChosenMethod[]> {
  const [row] = await q
    .select({ setup: t.analyses.setup })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(eq(t.collects.id, collectId));
  return methodsIn(row?.setup);
}

function methodsIn(setup: Record<string, unknown> = {}): ChosenMethod[] {
  const named = setup["methods"];
  return Array.isArray(named) ? named.flatMap((one) => CHOSEN_METHODS.find((method) => method === one) ?? []) : [];
}
