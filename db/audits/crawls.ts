import { and, asc, desc, eq, inArray, isNotNull, lte, min, sql } from "drizzle-orm";
import type { SiteSubject } from "../../core/audits/check.ts";
import type { AuditSummary, StoredFinding } from "../../core/audits/audit-rows.ts";
import { WEBSITE } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import { enqueueBackgroundJob } from "../jobs/background-jobs.ts";
import { lessThan, matches, updateRows } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";
import type { tables } from "../schema.ts";
import { sumAnswerTotals, addFinishedJobs } from "../analyses/collect-progress.ts";

export type AuditRow = typeof tables.audits.$inferSelect;
type AuditPageRow = typeof tables.auditPages.$inferSelect;
type AuditFindingsRow = typeof tables.auditFindings.$inferSelect;

/** Also completes a cancelled run. */
export async function enqueueCrawl(
  tenant: Tenant,
  collectId: string,
  { queuedAt, newId }: { queuedAt: Instant; newId: () => string },
): Promise<void> {
  await enqueueBackgroundJob(tenant, { id: newId(), kind: "crawl_site", subjectId: collectId, at: queuedAt });
}

export async function findCrawl({ db: { q, t }, workspaceId }: Tenant, collectId: string) {
  const [crawl] = await q
    .select({ collect: t.collects, setup: t.analysisSetups.setup, brandId: t.analyses.brandId, audit: t.audits })
    .from(t.collects)
    .innerJoin(t.analyses, eq(t.analyses.id, t.collects.analysisId))
    .innerJoin(
      t.analysisSetups,
      matches(t.analysisSetups, { analysisId: t.collects.analysisId, version: t.collects.setupVersion }),
    )
    .leftJoin(t.audits, eq(t.audits.collectId, t.collects.id))
    .where(matches(t.collects, { id: collectId, workspaceId, status: ["queued", "running"] }));
  return crawl;
}

export type Crawl = NonNullable<Awaited<ReturnType<typeof findCrawl>>>;

/** The latest earlier run that checked at least one page and completed before this run started. */
export async function findPreviousRun(
  { db: { q, t }, workspaceId }: Tenant,
  { analysisId, number, startedAt }: { analysisId: string; number: number; startedAt: Instant },
) {
  const [run] = await q
    .select({ collectId: t.collects.id, number: t.collects.number, audit: t.audits })
    .from(t.collects)
    .innerJoin(t.audits, eq(t.audits.collectId, t.collects.id))
    .where(
      and(
        matches(t.collects, { analysisId, workspaceId, status: ["completed", "partial"], number: lessThan(number) }),
        lte(t.collects.finishedAt, startedAt),
        isNotNull(t.audits.summary),
      ),
    )
    .orderBy(desc(t.collects.number))
    .limit(1);
  return run;
}

export async function findNextPage(
  { db: { q, t } }: Tenant,
  collectId: string,
  { before, now }: { before: string | null; now: Instant },
) {
  const [page] = await q
    .select({
      jobId: t.jobs.id,
      attempts: t.jobs.attempts,
      pageId: t.questions.id,
      url: t.questions.text,
      pageType: t.questions.pageType,
      before: t.auditPages,
      beforeFindings: t.auditFindings,
    })
    .from(t.jobs)
    .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId))
    .leftJoin(t.auditPages, matches(t.auditPages, { collectId: before ?? "", pageId: t.questions.id }))
    .leftJoin(t.auditFindings, matches(t.auditFindings, { collectId: before ?? "", pageId: t.questions.id }))
    .where(and(matches(t.jobs, { collectId, status: "queued", source: WEBSITE }), lte(t.jobs.notBefore, now)))
    .orderBy(asc(t.jobs.notBefore), asc(t.jobs.id))
    .limit(1);
  return page;
}

export type NextPage = NonNullable<Awaited<ReturnType<typeof findNextPage>>>;

export async function isCrawlOpen({ db: { q, t } }: Tenant, collectId: string): Promise<boolean> {
  const { id, status, isHeld, isCanceled } = t.collects;
  const open = and(eq(id, collectId), eq(status, "running"), eq(isHeld, false), eq(isCanceled, false));
  return (await q.$count(t.collects, open)) > 0;
}

/** Null when all pages are done. */
export async function findNextAttempt({ db: { q, t } }: Tenant, collectId: string): Promise<Instant | null> {
  const [next] = await q
    .select({ at: min(t.jobs.notBefore) })
    .from(t.jobs)
    .where(matches(t.jobs, { collectId, status: "queued", source: WEBSITE }));
  return next?.at ?? null;
}

export async function listPageAddresses({ db: { q, t } }: Tenant, collectId: string): Promise<string[]> {
  const rows = await q
    .select({ url: t.questions.text })
    .from(t.jobs)
    .innerJoin(t.questions, eq(t.questions.id, t.jobs.questionId))
    .where(eq(t.jobs.collectId, collectId));
  return rows.map(({ url }) => url);
}

/** Does nothing if the site was already stored. */
export async function insertAudit(
  { db: { q, t } }: Tenant,
  audit: Omit<AuditRow, "summary"> & { site: SiteSubject; findings: StoredFinding[] },
): Promise<void> {
  await q.insert(t.audits).values(audit).onConflictDoNothing({ target: t.audits.collectId });
}

export interface FinishedPage {
  jobId: string;
  row: AuditPageRow;
  findings: Pick<AuditFindingsRow, "findings" | "address">;
}

/** Does nothing if the job is done or the run was cancelled. */
export async function storePage({ db }: Tenant, { jobId, row, findings }: FinishedPage, now: Instant): Promise<void> {
  const { q, t } = db;
  const { collectId, pageId, skippedReason } = row;
  const open = q
    .select({ id: t.collects.id })
    .from(t.collects)
    .where(matches(t.collects, { id: collectId, status: "running", isCanceled: false }));
  const ended = await q
    .update(t.jobs)
    .set({
      status: skippedReason === null ? "succeeded" : "failed",
      attempts: sql`${t.jobs.attempts} + 1`,
      failureReason: skippedReason,
      finishedAt: now,
    })
    .where(and(matches(t.jobs, { id: jobId, status: "queued" }), inArray(t.jobs.collectId, open)))
    .returning({ id: t.jobs.id });
  if (ended.length === 0) return;
  await q.insert(t.auditPages).values(row);
  await q.insert(t.auditFindings).values({ collectId, pageId, ...findings });
  const counts = skippedReason === null ? { succeeded: 1, failed: 0 } : { succeeded: 0, failed: 1 };
  const added = sumAnswerTotals([], skippedReason === null ? [row.fetchedAt] : []);
  await addFinishedJobs(db, collectId, { ...counts, added });
}

export async function delayPage(
  { db: { q, t } }: Tenant,
  jobId: string,
  { notBefore, reason }: { notBefore: Instant; reason: string },
): Promise<void> {
  await updateRows(
    q,
    t.jobs,
    { id: jobId, status: "queued" },
    { attempts: sql`${t.jobs.attempts} + 1`, notBefore, failureReason: reason },
  );
}

export async function listAuditedPages({ db: { q, t } }: Tenant, collectId: string) {
  const { pageId, outcome, skippedReason, pageType, score, scores, outcomes, changes } = t.auditPages;
  return q
    .select({ pageId, outcome, skippedReason, pageType, score, scores, outcomes, changes })
    .from(t.auditPages)
    .innerJoin(t.jobs, matches(t.jobs, { collectId: t.auditPages.collectId, questionId: t.auditPages.pageId }))
    .where(eq(t.auditPages.collectId, collectId))
    .orderBy(asc(t.jobs.id));
}

export async function storeSummary({ db: { q, t } }: Tenant, collectId: string, summary: AuditSummary): Promise<void> {
  await updateRows(q, t.audits, { collectId }, { summary });
}
