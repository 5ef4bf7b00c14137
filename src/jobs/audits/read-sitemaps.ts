import type { SiteSubject } from "../../../core/audits/check.ts";
import { MAX_OTHER_PAGES } from "./list-pages.ts";
import type { Permissions, SiteTools } from "./robots-files.ts";
import { walkSitemaps } from "./walk-sitemaps.ts";

/** Sitemaps may have 50 MB (sitemaps.org); 10 MB hold 50,000 addresses of the usual length. */
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_MS = 60_000;

export interface SitemapsToRead {
  sitemapUrls: readonly string[];
  origin: string;
  pages: readonly string[];
  permissions: Permissions;
}

/** Lists audited pages in sitemaps, plus some thousand other pages as possible redirect targets. */
export async function readSitemaps(
  { sitemapUrls, origin, pages, permissions: getPermission }: SitemapsToRead,
  { crawler, checker, signal }: SiteTools,
): Promise<SiteSubject["sitemap"]> {
  const until = performance.now() + MAX_MS;
  const wanted = new Set(pages);
  const [files, urls]: [string[], string[]] = [[], []];
  const [others, faults] = [new Set<string>(), new Set<string>()];
  let isMissing = false;
  const steps = walkSitemaps(sitemapUrls.length === 0 ? [`${origin}/sitemap.xml`] : sitemapUrls, {
    crawler,
    signal,
    getPermission,
    limitBytes: MAX_BYTES,
    parseFile: (file) => checker.readSitemap({ file, wantedPages: [...wanted] }, signal),
    shouldContinue: () => performance.now() <= until,
  });
  for await (const step of steps) {
    if (step.kind === "left") faults.add(`Only ${step.readCount} of ${step.totalCount} sitemaps were read.`);
    if (step.kind === "unread") {
      const { status = 0 } = step;
      isMissing = sitemapUrls.length === 0 && status >= 400 && status < 500;
      faults.add(`A sitemap could not be read: ${step.reason}`);
    }
    if (step.kind !== "read") continue;
    const { found } = step;
    if (step.isTruncated) faults.add("A sitemap exceeds the size limit; the rest was not read.");
    files.push(step.url);
    for (const fault of found.parseErrors) faults.add(fault);
    for (const url of found.listedUrls) {
      wanted.delete(url);
      urls.push(url);
    }
    for (const url of found.otherUrls) if (others.size < MAX_OTHER_PAGES) others.add(url);
    if (wanted.size === 0) break;
  }
  if (files.length === 0 && !isMissing) return { unread: [...faults][0] ?? "No sitemap could be read." };
  const all = [...new Set([...urls, ...others])];
  return { urls: all, files, faults: isMissing ? [] : [...faults] };
}
