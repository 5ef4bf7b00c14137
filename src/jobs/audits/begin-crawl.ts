import { z } from "zod";
import { startCollects } from "../../../db/analyses/collect-progress.ts";
import { findCrawl, insertAudit, listPageAddresses, type Crawl } from "../../../db/audits/crawls.ts";
import { storeJobProgress } from "../../../db/jobs/background-jobs.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import { listLinkingDomains } from "../../../db/identity/domains/domains.ts";
import { isBundledUrl } from "../../../core/audits/bundled-site.ts";
import { registrableDomain } from "../../../core/identity/domains.ts";
import { addMs } from "../../../core/shared/time.ts";
import { Requeue, type BackgroundJob, type BackgroundWork } from "../background/background.ts";
import { MAX_ATTEMPTS, retryMs } from "./temporary-failures.ts";
import { readSite } from "./read-site.ts";

export const CrawlSettingsSchema = z.object({
  website: z.string(),
  sitemap_url: z.string().nullish(),
  render: z.boolean().default(false),
});

export const CrawlProgressSchema = z.object({
  tries: z.int().optional(),
  large: z.object({ jobId: z.string(), times: z.int() }).optional(),
});

export async function beginCrawl(
  crawl: Crawl,
  { job, store, work }: { job: BackgroundJob; store: TenantStore; work: BackgroundWork },
): Promise<Crawl> {
  const { id: collectId, analysisId } = crawl.collect;
  await store.write(({ db }) => startCollects(db, [collectId], work.now()), { isRepeatable: true });
  if (crawl.audit) return crawl;
  const startedAt = work.now();
  const { website, sitemap_url: sitemapUrl = null } = CrawlSettingsSchema.parse(crawl.setup);
  const { pages, domains } = await store.read(async (tenant) => ({
    pages: await listPageAddresses(tenant, collectId),
    domains: await listLinkingDomains(tenant.db, tenant.organizationId, startedAt),
  }));
  const { outside, checker, signal } = work;
  const isOwn = domains.includes(registrableDomain(website));
  const tools = { crawler: outside.crawler, checker, signal };
  const { siteFacts, retryHint: another } = await readSite({ website, sitemapUrl, pages, isOwn }, tools);
  const tries = (CrawlProgressSchema.safeParse(job.progress).data?.tries ?? 0) + 1;
  if (another && tries < MAX_ATTEMPTS) {
    await store.write(({ db }) => storeJobProgress(db, job.id, { tries }), { isRepeatable: true });
    throw new Requeue(addMs(work.now(), retryMs(tries, another.retryAfterMs)));
  }
  const findings = (await checker.checkSite(siteFacts, signal)) ?? [];
  const audit = {
    collectId,
    analysisId,
    checksVersion: checker.checkRules.checksVersion,
    isSimulated: isBundledUrl(website),
    site: siteFacts,
    findings,
    startedAt,
  };
  await store.write((tenant) => insertAudit(tenant, audit), { isRepeatable: true });
  // Another process may have read the site first.
  return (await store.read((tenant) => findCrawl(tenant, collectId))) ?? crawl;
}
