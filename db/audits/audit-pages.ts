import { and, asc, eq, inArray } from "drizzle-orm";
import type { PageOutcomes } from "../../core/audits/audit-rows.ts";
import type { PageType } from "../../core/audits/page-type.ts";
import type { AreaScores } from "../../core/audits/score-audit.ts";
import { changeRow } from "../engine/change-row.ts";
import { matches, pick } from "../engine/rows.ts";
import type { Db, Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";

export async function listPageSummaries({ db }: Tenant, collectId: string) {
  const { auditPages, questions } = db.t;
  return db.q
    .select({
      ...pick(auditPages, "pageId", "outcome", "pageType", "score"),
      url: questions.text,
      correctedType: questions.pageType,
    })
    .from(auditPages)
    .innerJoin(questions, eq(questions.id, auditPages.pageId))
    .where(eq(auditPages.collectId, collectId))
    .orderBy(asc(questions.position));
}
export type StoredPageSummary = Awaited<ReturnType<typeof listPageSummaries>>[number];

export async function listPageOutcomes(tenant: Tenant, collectId: string): Promise<Map<string, PageOutcomes>> {
  return loadPageColumn(tenant, collectId, "outcomes");
}

/** Null for a page that could not be checked. */
export async function listPageScores(tenant: Tenant, collectId: string): Promise<Map<string, AreaScores | null>> {
  return loadPageColumn(tenant, collectId, "scores");
}

/** Outcomes that differ from the run before, by page id. */
export async function countPageChanges(tenant: Tenant, collectId: string): Promise<Map<string, number>> {
  const changes = await loadPageColumn(tenant, collectId, "changes");
  return new Map([...changes].map(([pageId, { length }]) => [pageId, length]));
}

type PageColumns = typeof tables.auditPages.$inferSelect;

async function loadPageColumn<C extends "outcomes" | "scores" | "changes">(
  { db: { q, t } }: Tenant,
  collectId: string,
  column: C,
): Promise<Map<string, PageColumns[C]>> {
  const { pageId, [column]: value, collectId: ofRun } = t.auditPages;
  const rows = await q.select({ pageId, value }).from(t.auditPages).where(eq(ofRun, collectId));
  return new Map(rows.map((row) => [row.pageId, row.value as PageColumns[C]])); // safe: the column has values of this type
}

export async function listAuditPageRows({ db }: Tenant, collectId: string, pageIds: readonly string[]) {
  const { auditPages, questions } = db.t;
  return db.q
    .select(auditPageColumns(db))
    .from(auditPages)
    .innerJoin(questions, eq(questions.id, auditPages.pageId))
    .where(matches(auditPages, { collectId, pageId: pageIds }));
}
export type AuditPageRow = Awaited<ReturnType<typeof listAuditPageRows>>[number];

export async function findAuditPage(
  { db }: Tenant,
  { analysisId, collectId, pageId }: { analysisId: string; collectId: string; pageId: string },
) {
  const { auditPages, auditFindings, questions } = db.t;
  const [row] = await db.q
    .select({ ...auditPageColumns(db), findings: auditFindings.findings, address: auditFindings.address })
    .from(auditPages)
    .innerJoin(questions, eq(questions.id, auditPages.pageId))
    .leftJoin(auditFindings, matches(auditFindings, { collectId: auditPages.collectId, pageId: auditPages.pageId }))
    .where(and(eq(questions.analysisId, analysisId), matches(auditPages, { collectId, pageId })));
  return row && { ...row, findings: row.findings ?? [] };
}
export type AuditPageDetails = NonNullable<Awaited<ReturnType<typeof findAuditPage>>>;

function auditPageColumns({ t: { auditPages, questions } }: Db) {
  const { pageId, outcome, skippedReason, title, pageType, typeConfidence, score, scores, fetchedAt } = auditPages;
  return {
    pageId,
    url: questions.text,
    correctedType: questions.pageType,
    outcome,
    skippedReason,
    title,
    pageType,
    typeConfidence,
    score,
    scores,
    fetchedAt,
    outcomes: auditPages.outcomes,
    changes: auditPages.changes,
  };
}

/** Returns the page's URL; undefined for an unknown page. */
export async function correctPageType(
  { db, workspaceId }: Tenant,
  { analysisId, pageId, pageType }: { analysisId: string; pageId: string; pageType: PageType | null },
): Promise<string | undefined> {
  const { q, t } = db;
  const audits = q
    .select({ id: t.analyses.id })
    .from(t.analyses)
    .where(matches(t.analyses, { id: analysisId, workspaceId, type: "geo_audit" }));
  const where = and(eq(t.questions.id, pageId), inArray(t.questions.analysisId, audits));
  const { row } = await changeRow(db, { table: t.questions, where, change: { pageType } });
  return row?.text;
}
