import { sumAnswerTotals, addFinishedJobs, startCollects } from "../../../db/analyses/collect-progress.ts";
import {
  findCrawl,
  findPreviousRun,
  listAuditedPages,
  storeSummary,
  type AuditRow,
  type Crawl,
} from "../../../db/audits/crawls.ts";
import { failQueuedJobs } from "../../../db/jobs/collect-jobs.ts";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import { summariseAudit, type PreviousRun } from "../../../core/audits/summarise-audit.ts";
import type { BackgroundWork } from "../background/background.ts";
import { CrawlSettingsSchema } from "./begin-crawl.ts";

const CANCELED_REASON = "The page was canceled before it was fetched.";

export async function cancelRemainingPages(
  { collect: { id } }: Crawl,
  store: TenantStore,
  { now, signal }: BackgroundWork,
): Promise<void> {
  await store.write(({ db }) => startCollects(db, [id], now()), { isRepeatable: true });
  const endSome = async ({ db }: Tenant) => {
    const failed = await failQueuedJobs(db, id, { ids: [], reason: CANCELED_REASON, now: now() });
    if (failed > 0) await addFinishedJobs(db, id, { succeeded: 0, failed, added: sumAnswerTotals([]) });
    return failed;
  };
  while ((await store.write(endSome, { isRepeatable: true })) > 0) signal.throwIfAborted();
}

/** Does nothing for a run with open pages. */
export async function completeCrawl(collectId: string, store: TenantStore, work: BackgroundWork): Promise<void> {
  const crawl = await store.read((tenant) => findCrawl(tenant, collectId));
  if (!crawl || crawl.collect.succeeded + crawl.collect.failed < crawl.collect.planned) return;
  const { audit } = crawl;
  const summary = audit && (await summariseRun(crawl, audit, store, work));
  await store.write(async (tenant) => {
    if (summary) await storeSummary(tenant, collectId, summary);
    const at = work.now();
    await enqueueBackgroundJob(tenant, { id: work.newId(), kind: "end_collect", subjectId: collectId, at });
  });
}

async function summariseRun(crawl: Crawl, audit: AuditRow, store: TenantStore, work: BackgroundWork) {
  const { id, analysisId, number } = crawl.collect;
  const { pages, before } = await store.read(async (tenant) => ({
    pages: await listAuditedPages(tenant, id),
    before: await findPreviousRun(tenant, { analysisId, number, startedAt: audit.startedAt }),
  }));
  const compared = before && toRunBefore(before);
  const isOther = before !== undefined && before.audit.checksVersion !== audit.checksVersion;
  const notes = [
    ...buildNotes(crawl, audit, work),
    ...(isOther ? ["The previous run was checked with other rules, which cause some of the changes."] : []),
  ];
  const checkIds = work.checker.checkRules.pageChecks;
  return summariseAudit({ pages, checkIds, findings: audit.findings, previousRun: compared ?? null, notes });
}

function toRunBefore({ collectId, number: runNumber, audit }: { collectId: string; number: number; audit: AuditRow }) {
  const { summary, findings } = audit;
  return summary && ({ collectId, runNumber, scores: summary.scores, findings } satisfies PreviousRun);
}

function buildNotes({ collect, setup }: Crawl, { site }: AuditRow, { outside }: BackgroundWork): string[] {
  const runsNoScripts = CrawlSettingsSchema.parse(setup).render && !outside.crawler.renderPage;
  return [
    ...(collect.isCanceled ? ["The run was canceled before all of its pages were fetched."] : []),
    ...("unread" in site.robots ? ["robots.txt could not be read, so that no page of its host was fetched."] : []),
    ...(runsNoScripts ? ["Scripts were not run: no browser is configured."] : []),
  ];
}
