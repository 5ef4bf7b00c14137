import { and, asc, count, countDistinct, desc, eq, inArray, isNull, ne, or, sql } from "drizzle-orm";
import type { Evidence } from "../../core/recommend/action.ts";
import type { Tenant } from "../engine/store.ts";

const QUOTED_CHARACTERS = 1000;

/** The brief of a task with its action and what the brief is written from; undefined where there is no such task. */
export async function findBriefToWrite({ db: { q, t }, workspaceId }: Tenant, taskId: string) {
  const [row] = await q
    .select({
      brief: t.briefs,
      task: t.actionTasks,
      action: t.recommendedActions,
      own: t.brands.name,
      ownId: t.brands.id,
      collect: {
        number: t.collects.number,
        finishedAt: t.collects.finishedAt,
        collectionMethods: t.collects.collectionMethods,
      },
    })
    .from(t.briefs)
    .innerJoin(t.actionTasks, eq(t.actionTasks.id, t.briefs.taskId))
    .innerJoin(t.recommendedActions, eq(t.recommendedActions.id, t.actionTasks.actionId))
    .innerJoin(t.analyses, eq(t.analyses.id, t.recommendedActions.analysisId))
    .innerJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .innerJoin(t.collects, eq(t.collects.id, t.recommendedActions.collectId))
    .where(and(eq(t.briefs.workspaceId, workspaceId), eq(t.briefs.taskId, taskId)));
  return row;
}

/** The beginnings of some answers, in the order of the ids given. */
export async function listQuotes({ db: { q, t }, workspaceId }: Tenant, answerIds: readonly string[]) {
  if (answerIds.length === 0) return [];
  const rows = await q
    .select({
      answerId: t.answers.id,
      source: t.answers.source,
      prompt: t.answers.prompt,
      text: sql<string>`substr(${t.answers.text}, 1, ${QUOTED_CHARACTERS})`,
    })
    .from(t.answers)
    .where(and(eq(t.answers.workspaceId, workspaceId), inArray(t.answers.id, [...answerIds])));
  const byId = new Map(rows.map((row) => [row.answerId, row]));
  return answerIds.flatMap((id) => byId.get(id) ?? []);
}

const MOST_PAGES = 10;

/** The pages that answers of one collect to some keywords cite most: one per site, the own brand's left out. */
export async function listCitedPages(
  { db: { q, t } }: Tenant,
  of: { collectId: string; keywordIds: readonly string[]; ownId: string },
) {
  if (of.keywordIds.length === 0) return [];
  const rows = await q
    .select({
      domain: t.citations.domain,
      url: t.citations.url,
      siteType: t.citations.competitorType,
      answers: countDistinct(t.answers.id),
      citations: count(),
    })
    .from(t.answers)
    .innerJoin(t.citations, eq(t.citations.answerId, t.answers.id))
    .where(
      and(
        eq(t.answers.collectId, of.collectId),
        inArray(t.answers.keywordId, [...of.keywordIds]),
        eq(t.answers.eligible, true),
        or(isNull(t.citations.brandId), ne(t.citations.brandId, of.ownId)),
      ),
    )
    .groupBy(t.citations.domain, t.citations.url, t.citations.competitorType)
    .orderBy(desc(countDistinct(t.answers.id)), asc(t.citations.domain), asc(t.citations.url))
    .limit(10 * MOST_PAGES);
  const perSite = new Map<string, (typeof rows)[number]>();
  for (const row of rows) if (!perSite.has(row.domain)) perSite.set(row.domain, row);
  return [...perSite.values()].slice(0, MOST_PAGES);
}

/** Keywords that evidence names. */
export function keywordIdsOf(evidence: readonly Evidence[]): string[] {
  return [...new Set(evidence.flatMap(({ keyword_id }) => keyword_id ?? []))];
}
