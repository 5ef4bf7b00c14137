import type { Crawler } from "../../../core/audit/crawler.ts";
import type { SiteFacts } from "../../../core/audit/site-facts.ts";
import { MOST_OTHERS } from "./list-pages.ts";
import type { SiteTools } from "./robots-files.ts";

/** A sitemap may have 50 MB (sitemaps.org); this much holds 50,000 addresses of the usual length. */
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_FILES = 50;
const MOST_MS = 60_000;

export interface SitemapsToRead {
  /** Where they are; empty where neither robots.txt nor the setup names one. */
  named: readonly string[];
  origin: string;
  /** Which of these they list is of interest. */
  pages: readonly string[];
}

/**
 * Which pages of a run its sitemaps list, those of indexes among them, and some thousand others: a page may send on to one of these.
 * It stops where all pages are found.
 */
export async function readSitemaps(
  { named, origin, pages }: SitemapsToRead,
  { crawler, checker, signal }: SiteTools,
): Promise<SiteFacts["sitemap"]> {
  const until = performance.now() + MOST_MS;
  const usual = `${origin}/sitemap.xml`;
  const queue = [...new Set(named.length === 0 ? [usual] : named)];
  const wanted = new Set(pages);
  const [files, urls]: [string[], string[]] = [[], []];
  const others = new Set<string>();
  const faults = new Set<string>();
  let isMissing = false;
  for (const [index, file] of queue.entries()) {
    if (wanted.size === 0) break;
    if (index >= MOST_FILES || performance.now() > until) {
      faults.add(`Only ${index} of ${queue.length} sitemaps were read.`);
      break;
    }
    const answer = await crawler.fetchText(file, { signal, limitBytes: MOST_BYTES });
    const reason = unreadReason(answer);
    if (reason !== null || answer.kind !== "text") {
      // Where none is named, that none is there is no fault of one.
      isMissing = named.length === 0 && answer.kind !== "skipped" && answer.status >= 400 && answer.status < 500;
      faults.add(`A sitemap could not be read: ${reason}`);
      continue;
    }
    const read = await checker.readSitemap({ text: answer.text, pages: [...wanted] }, signal);
    if (!read) {
      faults.add("A sitemap takes too long or too much memory to read.");
      continue;
    }
    if (answer.isTruncated) faults.add("A sitemap is larger than what is read of one.");
    files.push(file);
    for (const fault of read.faults) faults.add(fault);
    for (const url of read.listed) {
      wanted.delete(url);
      urls.push(url);
    }
    for (const url of read.others) if (others.size < MOST_OTHERS) others.add(url);
    for (const further of read.sitemaps) if (!queue.includes(further)) queue.push(further);
  }
  if (files.length === 0 && !isMissing) return { unread: [...faults][0] ?? "No sitemap could be read." };
  const all = [...new Set([...urls, ...others])];
  return { urls: all, files, faults: isMissing ? [] : [...faults] };
}

function unreadReason(answer: Awaited<ReturnType<Crawler["fetchText"]>>): string | null {
  if (answer.kind === "skipped") return answer.words;
  return answer.status >= 200 && answer.status < 300 ? null : `The host answers with HTTP ${answer.status}.`;
}
