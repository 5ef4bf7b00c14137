import { delayPage, storePage, type FinishedPage, type NextPage } from "../../../db/audits/crawls.ts";
import { clearWorkerFailures, storeJobProgress } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import { compareFindings, type AuditedPage } from "../../../core/audits/audit-page.ts";
import type { StoredAddress } from "../../../core/audits/audit-rows.ts";
import type { FetchedPage } from "../../../core/audits/fetched-page.ts";
import { computePageBasis } from "../../../core/audits/page-basis.ts";
import { addMs, type Instant } from "../../../core/shared/time.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";
import { CrawlProgressSchema } from "./begin-crawl.ts";
import { CheckFailed, LIMITS_EXCEEDED } from "./check-thread.ts";
import { fetchAudited, type FetchResult } from "./fetch-audited.ts";
import { MAX_ATTEMPTS, retryMs } from "./temporary-failures.ts";
import type { AllowedFetch } from "./robots-files.ts";
import type { AuditRunContext } from "./audit-run-context.ts";

interface CrawlContext {
  job: BackgroundJob;
  store: TenantStore;
  work: BackgroundWork;
  allowedFetch: AllowedFetch;
}

export async function crawlPage(page: NextPage, auditRun: AuditRunContext, by: CrawlContext): Promise<void> {
  const { store, work, allowedFetch } = by;
  const fetchedAt = work.now();
  const basisDigest = computePageBasis(auditRun.basisDigest, {
    pageType: page.pageType,
    fetchedAtMs: Date.parse(fetchedAt),
  });
  const stored = findReusableAddress(page, { auditRun, basisDigest, work });
  const { shouldRender } = auditRun;
  const { outside, signal } = work;
  const fetching = await fetchAudited(page.url, {
    crawler: outside.crawler,
    allowedFetch,
    shouldRender,
    known: stored,
    signal,
  });
  const tries = page.attempts + 1;
  if (fetching.later && tries < MAX_ATTEMPTS) {
    const notBefore = addMs(work.now(), retryMs(tries, fetching.later.retryAfterMs));
    const reason = fetching.kind === "skipped" ? fetching.reason : (fetching.unread ?? "");
    const delaying = async (tenant: Tenant) => {
      await delayPage(tenant, page.jobId, { notBefore, reason });
      await clearWorkerFailures(tenant.db, by.job);
    };
    return store.write(delaying, { isRepeatable: true });
  }
  const isEndless = fetching.kind === "page" && (await hasCrashedChecker(fetching.fetched, page, by));
  const found = isEndless
    ? { skipped: LIMITS_EXCEEDED }
    : await checkFetched(fetching, { page, auditRun, fetchedAt, work });
  const end = toEndedPage(page, auditRun, { fetching, found, basisDigest, fetchedAt });
  const storing = async (tenant: Tenant) => {
    await storePage(tenant, end, work.now());
    await clearWorkerFailures(tenant.db, by.job);
  };
  await store.write(storing, { isRepeatable: true });
}

/** Null if unchanged HTML does not imply unchanged findings; rendered content can change alone. */
function findReusableAddress(
  { before, beforeFindings }: NextPage,
  { auditRun, basisDigest, work }: { auditRun: AuditRunContext; basisDigest: string; work: BackgroundWork },
): StoredAddress | null {
  const address = beforeFindings?.address ?? null;
  if (!address || address.basis !== basisDigest || auditRun.shouldRender) return null;
  if (before?.checksVersion !== work.checker.checkRules.checksVersion || address.status !== 200) return null;
  return address.headers.etag === null && address.headers.lastModified === null ? null : address;
}

/** A large page could exhaust memory before its limit applies. */
const LARGE_PAGE_CHARACTERS = 500_000;
const MAX_CHECKS = 3;

async function hasCrashedChecker(fetched: FetchedPage, { jobId }: NextPage, { job, store }: CrawlContext) {
  const rendered = fetched.rendered && "html" in fetched.rendered ? fetched.rendered.html : "";
  if (fetched.html.length + rendered.length < LARGE_PAGE_CHARACTERS) return false;
  const { large } = CrawlProgressSchema.safeParse(job.progress).data ?? {};
  const times = large?.jobId === jobId ? large.times : 0;
  if (times >= MAX_CHECKS) return true;
  const progress = { large: { jobId, times: times + 1 } };
  await store.write(({ db }) => storeJobProgress(db, job.id, progress), { isRepeatable: true });
  return false;
}

type CheckedPage = (AuditedPage & { digest: string }) | { skipped: string };

const CHECK_FAILED = "It could not be checked.";

async function checkFetched(
  fetching: FetchResult,
  {
    page,
    auditRun,
    fetchedAt,
    work,
  }: { page: NextPage; auditRun: AuditRunContext; fetchedAt: Instant; work: BackgroundWork },
): Promise<CheckedPage> {
  if (fetching.kind === "skipped") return { skipped: fetching.reason };
  const { fetched, unread, isUnchanged } = fetching;
  const { before, beforeFindings } = page;
  const unchangedFindings =
    isUnchanged && before && beforeFindings
      ? {
          findings: beforeFindings.findings,
          title: before.title,
          pageType: before.pageType,
          typeConfidence: before.typeConfidence,
        }
      : undefined;
  const { site, findings: siteFindings } = auditRun.audit;
  const { brandNames } = auditRun;
  const order = {
    fetched,
    unread,
    cached: unchangedFindings,
    site,
    siteFindings,
    brandNames,
    pageType: page.pageType,
    fetchedAtMs: Date.parse(fetchedAt),
  };
  try {
    const audited = await work.checker.checkPage(order, work.signal);
    if (!audited) return { skipped: LIMITS_EXCEEDED };
    return { ...audited, digest: unchangedFindings ? (beforeFindings?.address?.digest ?? "") : audited.digest };
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    work.log.error({ err: error, page: page.pageId }, "could not check a page");
    return { skipped: CHECK_FAILED };
  }
}

function toEndedPage(
  page: NextPage,
  { collectId, audit }: AuditRunContext,
  {
    fetching,
    found,
    basisDigest,
    fetchedAt,
  }: { fetching: FetchResult; found: CheckedPage; basisDigest: string; fetchedAt: Instant },
) {
  const { jobId, pageId, beforeFindings } = page;
  const key = { collectId, pageId, checksVersion: audit.checksVersion, fetchedAt };
  if ("skipped" in found || fetching.kind === "skipped") {
    return toSkippedPage(page, { ...key, skippedReason: "skipped" in found ? found.skipped : "" });
  }
  const { title, pageType, typeConfidence, outcome, score, scores, outcomes, findings, digest } = found;
  const wasRead = beforeFindings?.address ? beforeFindings.findings : undefined;
  const changes = compareFindings(findings, wasRead);
  const looked = { title, pageType, typeConfidence, outcome, score, scores, outcomes, changes, skippedReason: null };
  return {
    jobId,
    row: { ...key, ...looked },
    findings: { findings: [...findings], address: toStoredAddress(fetching.fetched, { digest, basis: basisDigest }) },
  };
}

export function toSkippedPage(
  { jobId, pageId }: Pick<NextPage, "jobId" | "pageId">,
  key: { collectId: string; checksVersion: number; fetchedAt: Instant; skippedReason: string },
): FinishedPage {
  return { jobId, row: { ...key, pageId, ...SKIPPED_COLUMNS }, findings: { findings: [], address: null } };
}

const SKIPPED_COLUMNS = {
  outcome: "skipped" as const,
  title: null,
  pageType: null,
  typeConfidence: null,
  score: null,
  scores: null,
  outcomes: { fail: [], warn: [], skipped: [], passed: 0 },
  changes: [],
};

function toStoredAddress(fetched: FetchedPage, rest: { digest: string; basis: string }): StoredAddress {
  const { html: _html, rendered: _rendered, ...address } = fetched;
  return { ...address, ...rest };
}
