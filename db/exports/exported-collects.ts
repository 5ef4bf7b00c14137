import { and, asc, eq, inArray, isNotNull, or } from "drizzle-orm";
import type { ExportFilters } from "../../core/exports/exports.ts";
import { greaterThan, matches, pick } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export type ExportedCollect = Awaited<ReturnType<typeof listExportedCollects>>[number];

/** Ordered by analysis and number. Omits imports that have not completed. */
export async function listExportedCollects({ db: { q, t }, workspaceId }: Tenant, filters: ExportFilters) {
  return q
    .select({
      collectId: t.collects.id,
      collectNumber: t.collects.number,
      collectStatus: t.collects.status,
      ...pick(t.collects, "collectedFrom", "collectedTo", "isImported", "summedVersion"),
      analysisId: t.analyses.id,
      analysis: t.analyses.name,
      analysisType: t.analyses.type,
      schedule: t.analyses.schedule,
      setup: t.analyses.setup,
      ownBrandId: t.analyses.brandId,
    })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(
      and(
        matches(t.collects, { workspaceId, id: filters.collect_ids }),
        or(eq(t.collects.isImported, false), isNotNull(t.collects.finishedAt)),
        filters.analysis_ids === undefined ? undefined : inArray(t.analyses.id, [...filters.analysis_ids]),
      ),
    )
    .orderBy(asc(t.analyses.id), asc(t.collects.number));
}

export interface AnswerRange {
  collect: ExportedCollect;
  afterId: string;
  lastId: string;
  filters: ExportFilters;
}

/** Sorts before every id. */
const BEFORE_FIRST_ID = "";

export async function* iterateAnswerRanges(
  tenant: Tenant,
  filters: ExportFilters,
  maxAnswers: number,
): AsyncGenerator<AnswerRange> {
  const { q, t } = tenant.db;
  for (const collect of await listExportedCollects(tenant, filters)) {
    let afterId = BEFORE_FIRST_ID;
    for (;;) {
      const ids = await q
        .select({ id: t.answers.id })
        .from(t.answers)
        .where(matches(t.answers, { collectId: collect.collectId, id: greaterThan(afterId) }))
        .orderBy(asc(t.answers.id))
        .limit(maxAnswers);
      const lastId = ids.at(-1)?.id;
      if (lastId === undefined) break;
      yield { collect, afterId, lastId, filters };
      afterId = lastId;
    }
  }
}
