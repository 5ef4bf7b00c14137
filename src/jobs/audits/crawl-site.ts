import { findCrawl, findNextPage, findNextAttempt, isCrawlOpen, type Crawl } from "../../../db/audits/crawls.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { addMs } from "../../../core/shared/time.ts";
import { beginCrawl } from "./begin-crawl.ts";
import { crawlPage } from "./crawl-page.ts";
import { cancelRemainingPages, completeCrawl } from "./complete-crawl.ts";
import { checkPermission } from "./robots-files.ts";
import { openAuditRun } from "./audit-run-context.ts";
import { Requeue, type BackgroundJob, type BackgroundWork } from "../background/background.ts";

/** After this time, the job yields to others. */
const MAX_RUN_MS = 10_000;
/** Above this crawl delay, the job returns its slot instead of waiting. */
const MAX_WAIT_MS = 2000;

/**
 * Stores each page with the completion of its job, so that the next attempt resumes anywhere.
 * Skips paused runs; resuming queues the job again.
 */
export async function crawlSite(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const deadlineMs = performance.now() + MAX_RUN_MS;
  const store = tenantStore(work.store, job);
  const crawl = await store.read((tenant) => findCrawl(tenant, job.subjectId));
  if (!crawl || crawl.collect.isHeld) return;
  if (crawl.collect.isCanceled) await cancelRemainingPages(crawl, store, work);
  else if (!(await crawlPages(await beginCrawl(crawl, { job, store, work }), { job, store, work, deadlineMs }))) return;
  await completeCrawl(crawl.collect.id, store, work);
}

async function crawlPages(
  crawl: Crawl,
  {
    job,
    store,
    work,
    deadlineMs,
  }: { job: BackgroundJob; store: TenantStore; work: BackgroundWork; deadlineMs: number },
): Promise<boolean> {
  const { id: collectId } = crawl.collect;
  const run = await openAuditRun(crawl, store, work);
  const before = run.previousRun?.collectId ?? null;
  for (;;) {
    work.signal.throwIfAborted();
    const next = await store.read(async (tenant) => {
      const now = work.now();
      if (!(await isCrawlOpen(tenant, collectId))) return "stopped";
      const page = await findNextPage(tenant, collectId, { before, now });
      return page ?? { tryAt: await findNextAttempt(tenant, collectId) };
    });
    // The job queued by the cancellation completes a canceled run.
    if (next === "stopped") return false;
    if ("tryAt" in next) {
      if (next.tryAt === null) return true;
      throw new Requeue(next.tryAt);
    }
    const allowedFetch = await checkPermission(run.getPermission, next.url);
    await crawlPage(next, run, { job, store, work, allowedFetch });
    const { delayMs } = allowedFetch;
    if (delayMs > MAX_WAIT_MS) throw new Requeue(addMs(work.now(), delayMs));
    if (performance.now() > deadlineMs) throw new Requeue();
  }
}
