import type { Crawler } from "../../../core/audits/crawler.ts";
import type { FoundPages, PageFinder, PageSearch } from "../../../core/audits/page-finder.ts";
import { isSameSite } from "../../../core/audits/page-address.ts";
import { withTimeLimit } from "../../outside/http.ts";
import type { PageChecker } from "./check-thread.ts";
import { getProductToken, fetchRobots } from "./robots-files.ts";
import { walkSitemaps } from "./walk-sitemaps.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

const MAX_ADDRESSES = 50_000;
/** Max size of a sitemap (sitemaps.org). */
const MAX_BYTES = 50 * 1024 * 1024;
/** Bounds memory: each search may hold a whole sitemap. Others wait within their own time limit. */
const MAX_CONCURRENT_SEARCHES = 4;

interface SiteSearch extends PageSearch {
  crawler: Crawler;
  fileParser: Pick<PageChecker, "readRobots" | "readSitemapPages" | "readLinks">;
  pages: Set<string>;
  from: string;
  notes: Set<string>;
}

/** `fileParser` parses in a thread, so that requests stay fast. */
export function openPageFinder(
  crawler: Crawler,
  { fileParser, closingSignal }: { fileParser: SiteSearch["fileParser"]; closingSignal: AbortSignal },
): PageFinder {
  const inPlace = openSlots(MAX_CONCURRENT_SEARCHES);
  return {
    async findPages(asked, { timeoutMs }) {
      const search: SiteSearch = { ...asked, crawler, fileParser, pages: new Set(), from: "", notes: new Set() };
      const work = (signal: AbortSignal) => inPlace(() => searchSite(search, signal));
      await withTimeLimit(timeoutMs, closingSignal, work).catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== "TimeoutError") throw error;
        search.notes.add("Not all could be read: it took longer than the time limit.");
      });
      return toFoundPages(search);
    },
  };
}

function openSlots(free: number) {
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

async function searchSite(search: SiteSearch, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { sitemapUrl, notes } = search;
  if (sitemapUrl !== undefined) return addFromSitemaps([sitemapUrl], search, signal);
  const { origin } = new URL(search.website);
  const { robots: file } = await fetchRobots(search.crawler, origin, signal);
  if ("unread" in file) return void notes.add(`robots.txt could not be read: ${file.unread}`);
  const order = { text: file.text, agent: getProductToken(search.crawler), url: search.website };
  const robots = await search.fileParser.readRobots(order, signal);
  if (!robots) return void notes.add("robots.txt takes too long or too much memory to read.");
  const named = robots.sitemaps.filter((one) => isSameSite(one, origin));
  await addFromSitemaps(named.length > 0 ? named : [`${origin}/sitemap.xml`], search, signal);
  if (search.pages.size > 0) return;
  if (robots.isAllowed) await addFromLinks(search, signal);
  else notes.add("robots.txt does not allow our crawler to fetch the start page.");
}

async function addFromSitemaps(first: readonly string[], search: SiteSearch, signal: AbortSignal): Promise<void> {
  const { crawler, fileParser, website, pages, notes } = search;
  let others = 0;
  const left = () => MAX_ADDRESSES - pages.size - others;
  const steps = walkSitemaps(first, {
    crawler,
    signal,
    limitBytes: MAX_BYTES,
    parseFile: (file) => fileParser.readSitemapPages({ file, website, maxPages: left() }, signal),
    shouldContinue: () => left() > 0,
  });
  search.from = first[0] ?? "";
  for await (const step of steps) {
    signal.throwIfAborted();
    if (step.kind === "left") notes.add(`Of the sitemaps the first ${step.readCount} were read.`);
    if (step.kind === "unread") notes.add(`A sitemap could not be read: ${step.reason}`);
    if (step.kind !== "read") continue;
    if (step.isTruncated) notes.add("A sitemap is longer than 50 MB; the rest of it was not read.");
    if (!step.found.isSitemap) notes.add("What is at the address of the sitemap is no sitemap.");
    others += step.found.otherCount;
    for (const page of step.found.pages) pages.add(page);
  }
  if (others > 0)
    notes.add(`${formatInteger(others)} addresses of the sitemap are not of the website and are left out.`);
}

async function addFromLinks(search: SiteSearch, signal: AbortSignal): Promise<void> {
  const { crawler, fileParser, website } = search;
  const answer = await crawler.fetchPage(website, { signal });
  const page = answer.kind === "page" && answer.page.status === 200 ? answer.page : undefined;
  const linked = page && (await fileParser.readLinks({ html: page.html, url: page.finalUrl, website }, signal));
  if (!linked) return void search.notes.add("The start page could not be read either.");
  search.from = "the links of the start page";
  for (const url of linked) search.pages.add(url);
}

function toFoundPages({ pages: found, from, sitemapUrl = "", maxPages, notes }: SiteSearch): FoundPages {
  if (found.size === 0) return { pages: null, from: sitemapUrl, notes: [...notes] };
  const pages = [...found].slice(0, maxPages);
  const cut = `${formatInteger(found.size)} pages were found; the first ${maxPages} are audited.`;
  return { pages, from, notes: [...notes, ...(found.size > maxPages ? [cut] : [])] };
}
