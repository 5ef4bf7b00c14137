import { and, asc, countDistinct, desc, eq, inArray, isNotNull, ne } from "drizzle-orm";
import { PROMPTING_TYPES } from "../../core/analyses/analysis.ts";
import type { StoredFinding } from "../../core/audits/audit-rows.ts";
import { toComparableUrl } from "../../core/reading/citations.ts";
import type { PageView } from "../../core/actions/audit-view.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";

export async function listAuditRuns({ db: { q, t }, workspaceId }: Tenant, analysisId: string) {
  const { audits, collects } = t;
  return q
    .select({
      ...pick(collects, "id", "number", "createdAt", "startedAt", "finishedAt"),
      isSimulated: audits.isSimulated,
      findings: audits.findings,
    })
    .from(audits)
    .innerJoin(collects, eq(collects.id, audits.collectId))
    .where(and(eq(collects.workspaceId, workspaceId), matches(audits, { analysisId, summary: isNotNull })))
    .orderBy(desc(collects.number));
}
export type AuditRun = Awaited<ReturnType<typeof listAuditRuns>>[number];

export async function listRunPages({ db: { q, t } }: Tenant, collectId: string): Promise<RunPage[]> {
  return q
    .select(runPageColumns(t))
    .from(t.auditPages)
    .innerJoin(t.questions, eq(t.questions.id, t.auditPages.pageId))
    .where(eq(t.auditPages.collectId, collectId))
    .orderBy(asc(t.questions.position));
}
export type RunPage = Pick<PageView, "id" | "url" | "outcomes">;

function runPageColumns({ auditPages, questions }: Db["t"]) {
  return { id: auditPages.pageId, url: questions.text, outcomes: auditPages.outcomes };
}

export async function listRivalPages({ db: { q, t }, workspaceId }: Tenant, audits: readonly BrandAudit[]) {
  const rivals = new Map(audits.filter(isCompetitorAudit).map((audit) => [audit.id, audit]));
  const runs = await q
    .select({ id: t.collects.id, analysisId: t.audits.analysisId })
    .from(t.audits)
    .innerJoin(t.collects, eq(t.collects.id, t.audits.collectId))
    .where(
      and(
        eq(t.collects.workspaceId, workspaceId),
        matches(t.audits, { analysisId: [...rivals.keys()], summary: isNotNull }),
      ),
    )
    .orderBy(asc(t.collects.number));
  const newest = new Map(runs.map(({ id, analysisId }) => [analysisId, id]));
  const pages = await q
    .select({ ...runPageColumns(t), analysisId: t.questions.analysisId })
    .from(t.auditPages)
    .innerJoin(t.questions, eq(t.questions.id, t.auditPages.pageId))
    .where(inArray(t.auditPages.collectId, [...newest.values()]))
    .orderBy(asc(t.questions.analysisId), asc(t.questions.position));
  return pages.flatMap(({ analysisId, ...page }) => {
    const audit = rivals.get(analysisId);
    return audit ? [{ ...page, brandId: audit.brandId, brand: audit.brand }] : [];
  });
}

const PAGES_PER_QUERY = 500;

export async function readFindings({ db: { q, t } }: Tenant, collectId: string, pageIds: readonly string[]) {
  const found = new Map<string, StoredFinding[]>();
  for (let first = 0; first < pageIds.length; first += PAGES_PER_QUERY) {
    const among = pageIds.slice(first, first + PAGES_PER_QUERY);
    const rows = await q
      .select({ pageId: t.auditFindings.pageId, findings: t.auditFindings.findings })
      .from(t.auditFindings)
      .where(and(eq(t.auditFindings.collectId, collectId), inArray(t.auditFindings.pageId, among)));
    for (const { pageId, findings } of rows) found.set(pageId, findings);
  }
  return found;
}

export async function listBrandAudits({ db: { q, t }, workspaceId }: Tenant) {
  return q
    .select({
      id: t.analyses.id,
      brandId: t.brands.id,
      brand: t.brands.name,
      relationship: t.brands.relationship,
    })
    .from(t.analyses)
    .innerJoin(t.brands, eq(t.brands.id, t.analyses.brandId))
    .where(and(matches(t.analyses, { workspaceId, type: "geo_audit" }), ne(t.analyses.status, "archived")))
    .orderBy(asc(t.analyses.id));
}
export type BrandAudit = Awaited<ReturnType<typeof listBrandAudits>>[number];

export function isCompetitorAudit({ relationship }: Pick<BrandAudit, "relationship">): boolean {
  return relationship === "competitor";
}

export async function listPromptingAnalyses({ db: { q, t }, workspaceId }: Tenant): Promise<string[]> {
  const rows = await q
    .select({ id: t.analyses.id })
    .from(t.analyses)
    .where(and(matches(t.analyses, { workspaceId, type: PROMPTING_TYPES }), ne(t.analyses.status, "archived")))
    .orderBy(asc(t.analyses.id));
  return rows.map(({ id }) => id);
}

/** `citedIn` counts answers that cite the page, `readFor` answers that only retrieved it. */
export type PageUse = Pick<PageView, "citedIn" | "readFor">;

export async function readPageUses(
  { db: { q, t } }: Tenant,
  { collectIds, domains }: { collectIds: readonly string[]; domains: readonly string[] },
): Promise<Map<string, PageUse>> {
  const uses = new Map<string, PageUse>();
  if (collectIds.length === 0 || domains.length === 0) return uses;
  const rows = await q
    .select({ url: t.citations.url, isCited: t.citations.isCited, answers: countDistinct(t.answers.key) })
    .from(t.answers)
    .innerJoin(t.citations, eq(t.citations.answerKey, t.answers.key))
    .where(and(matches(t.answers, { collectId: collectIds, isShown: true }), inArray(t.citations.domain, [...domains])))
    .groupBy(t.citations.url, t.citations.isCited)
    .orderBy(asc(t.citations.url), asc(t.citations.isCited));
  for (const { url, isCited, answers } of rows) {
    const page = toComparableUrl(url);
    const use = uses.get(page) ?? { citedIn: 0, readFor: 0 };
    uses.set(page, isCited ? { ...use, citedIn: use.citedIn + answers } : { ...use, readFor: use.readFor + answers });
  }
  return uses;
}
