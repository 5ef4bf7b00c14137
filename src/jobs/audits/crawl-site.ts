import { findCrawl, findNextPage, findNextTry, isCrawled, type Crawl } from "../../../db/audits/crawls.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { later } from "../../../core/shared/time.ts";
import { beginCrawl } from "./begin-crawl.ts";
import { crawlPage } from "./crawl-page.ts";
import { endCanceledPages, endCrawl } from "./end-crawl.ts";
import { allowedBy } from "./robots-files.ts";
import { openRun } from "./run.ts";
import { GiveBack, type BackgroundJob, type BackgroundWork } from "../background/background.ts";

/** Max time until the job yields to others. */
const TURN_MS = 10_000;
/** Above this crawl delay, the job returns its slot instead of waiting. */
const LONGEST_WAIT_MS = 2000;

/**
 * Crawls pages in order and stores each together with the completion of its job, so that the next
 * attempt resumes anywhere. The last page completes the run. Skips paused runs; resuming queues the
 * job again.
 */
export async function crawlSite(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const until = performance.now() + TURN_MS;
  const store = tenantStore(work.store, job);
  const crawl = await store.read((tenant) => findCrawl(tenant, job.subjectId));
  if (!crawl || crawl.collect.isHeld) return;
  if (crawl.collect.isCanceled) await endCanceledPages(crawl, store, work);
  else if (!(await crawlPages(await beginCrawl(crawl, { job, store, work }), { job, store, work, until }))) return;
  await endCrawl(crawl.collect.id, store, work);
}

async function crawlPages(
  crawl: Crawl,
  { job, store, work, until }: { job: BackgroundJob; store: TenantStore; work: BackgroundWork; until: number },
): Promise<boolean> {
  const { id: collectId } = crawl.collect;
  const run = await openRun(crawl, store, work);
  const before = run.before?.collectId ?? null;
  for (;;) {
    work.signal.throwIfAborted();
    const next = await store.read(async (tenant) => {
      const now = work.now();
      if (!(await isCrawled(tenant, collectId))) return "stopped";
      const page = await findNextPage(tenant, collectId, { before, now });
      return page ?? { tryAt: await findNextTry(tenant, collectId) };
    });
    // The job queued by the cancellation completes a canceled run.
    if (next === "stopped") return false;
    if ("tryAt" in next) {
      if (next.tryAt === null) return true;
      throw new GiveBack(next.tryAt);
    }
    const allowed = await allowedBy(run.permissions, next.url);
    await crawlPage(next, run, { job, store, work, allowed });
    const { delayMs } = allowed;
    if (delayMs > LONGEST_WAIT_MS) throw new GiveBack(later(work.now(), delayMs));
    if (performance.now() > until) throw new GiveBack();
  }
}
