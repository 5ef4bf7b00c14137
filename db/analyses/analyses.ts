import { and, asc, desc, eq, gt, gte, inArray, like, lt, lte, or, sql } from "drizzle-orm";
import type { AnalysisSort, AnalysisStatus, AnalysisType } from "../../core/analyses/analysis.ts";
import type { Page } from "../../core/shared/pagination.ts";
import type { Instant } from "../../core/shared/time.ts";
import { lessThan, findRow, matches, pick } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";
import { selectTaggedAnalyses } from "../catalog/taggings.ts";
import type { tables } from "../schema.ts";

export type AnalysisRow = typeof tables.analyses.$inferSelect;
export function requireOwnBrand({ brandId }: Pick<AnalysisRow, "brandId">): string {
  if (brandId === null) throw new Error("an analysis with sources has no brand");
  return brandId;
}

export type CollectRow = typeof tables.collects.$inferSelect;

export interface AnalysisFilter {
  type?: AnalysisType | undefined;
  status?: AnalysisStatus | undefined;
  /** Also matches child tags. */
  tag?: string | undefined;
  text?: string | undefined;
}

interface AnalysisOrder {
  sort: AnalysisSort;
  sort_direction: "asc" | "desc";
}

/** Analyses without a next collect come last in both directions. */
const NO_NEXT_COLLECT = { asc: Number.MAX_SAFE_INTEGER, desc: -1 } as const;

export function buildAnalysisCursorKey(row: AnalysisRow, { sort, sort_direction: direction }: AnalysisOrder) {
  if (sort === "created_at") return [row.id];
  if (sort !== "next_collect_at") return [row[sort], row.id];
  return [row.nextCollectAt === null ? NO_NEXT_COLLECT[direction] : Date.parse(row.nextCollectAt), row.id];
}

export async function listAnalyses(
  { db, workspaceId }: Tenant,
  filter: AnalysisFilter,
  { limit, after, sort, sort_direction: direction }: Page & AnalysisOrder,
): Promise<AnalysisRow[]> {
  const { q, t } = db;
  const { id, name, status, nextCollectAt } = t.analyses;
  const [beyond, way] = direction === "asc" ? [gt, asc] : [lt, desc];
  // Orders by id, since ids sort by creation time.
  const value =
    sort === "next_collect_at"
      ? sql<string | number>`coalesce(${nextCollectAt}, ${NO_NEXT_COLLECT[direction]})`
      : sql<string | number>`${{ created_at: id, name, status }[sort]}`;
  const last = sort === "next_collect_at" ? Number(after?.[0]) : (after?.[0] ?? "");
  const text = filter.text?.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`);
  return q
    .select()
    .from(t.analyses)
    .where(
      and(
        matches(t.analyses, { workspaceId, type: filter.type, status: filter.status }),
        filter.tag === undefined ? undefined : inArray(t.analyses.id, selectTaggedAnalyses(db, filter.tag)),
        text === undefined ? undefined : sql`${like(sql`lower(${t.analyses.name})`, `%${text}%`)} escape '\\'`,
        after === null ? undefined : or(beyond(value, last), and(eq(value, last), gt(id, after.at(-1) ?? ""))),
      ),
    )
    .orderBy(way(value), ...(sort === "created_at" ? [] : [asc(id)]))
    .limit(limit + 1);
}

export async function listAnalysisNames(
  { q, t }: Db,
  organizationIds: readonly string[],
  types: readonly AnalysisType[] | undefined,
  limit: number,
) {
  return q
    .select(pick(t.analyses, "id", "name", "workspaceId", "status"))
    .from(t.analyses)
    .where(matches(t.analyses, { organizationId: organizationIds, type: types }))
    .orderBy(asc(t.analyses.id))
    .limit(limit);
}

export async function findAnalysis({ db: { q, t }, workspaceId }: Tenant, id: string) {
  return findRow(q, t.analyses, { workspaceId, id });
}

export async function hasAnalysis({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<boolean> {
  return (await q.$count(t.analyses, matches(t.analyses, { workspaceId, id }))) > 0;
}

export async function insertAnalysis(
  { db: { q, t }, organizationId, workspaceId }: Tenant,
  analysis: Omit<typeof tables.analyses.$inferInsert, "organizationId" | "workspaceId">,
  competitorIds: readonly string[],
): Promise<AnalysisRow> {
  const [row] = await q
    .insert(t.analyses)
    .values({ ...analysis, organizationId, workspaceId })
    .returning();
  if (!row) throw new Error("The analysis was not stored.");
  const competitors = competitorIds.map((brandId) => ({ analysisId: row.id, brandId }));
  if (competitors.length > 0) await q.insert(t.analysisCompetitors).values(competitors);
  return row;
}

export async function listCompetitorIds({ db: { q, t } }: Tenant, analysisId: string): Promise<string[]> {
  const rows = await q
    .select({ brandId: t.analysisCompetitors.brandId })
    .from(t.analysisCompetitors)
    .innerJoin(t.brands, matches(t.brands, { id: t.analysisCompetitors.brandId, archivedAt: null }))
    .where(eq(t.analysisCompetitors.analysisId, analysisId))
    .orderBy(asc(t.analysisCompetitors.brandId));
  return rows.map((row) => row.brandId);
}

/** Within the dates, both inclusive, of the last answer, or else of the start of a run. */
export async function listCollects(
  { db: { q, t }, workspaceId }: Tenant,
  analysisId: string,
  { since, until, ...page }: Page & { since?: Instant | null | undefined; until?: Instant | null | undefined },
) {
  const { collectedTo, finishedAt, startedAt, createdAt } = t.collects;
  const date = sql`coalesce(${collectedTo}, ${finishedAt}, ${startedAt}, ${createdAt})`;
  return q
    .select()
    .from(t.collects)
    .where(
      and(
        matches(t.collects, { workspaceId, analysisId, number: lessThan(page.after?.map(Number)[0]) }),
        since ? gte(date, sql.param(since, createdAt)) : undefined,
        until ? lte(date, sql.param(until, createdAt)) : undefined,
      ),
    )
    .orderBy(desc(t.collects.number))
    .limit(page.limit + 1);
}

export async function findAnalysisByCollect({ db: { q, t }, workspaceId }: Tenant, collectId: string) {
  const [found] = await q
    .select({ analysis: t.analyses })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .where(matches(t.collects, { id: collectId, workspaceId }));
  return found?.analysis;
}

export async function findCollect(
  { db: { q, t }, workspaceId }: Tenant,
  ids: { analysisId: string; collectId: string },
): Promise<CollectRow | undefined> {
  return findRow(q, t.collects, { workspaceId, analysisId: ids.analysisId, id: ids.collectId });
}
