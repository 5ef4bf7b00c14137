import type { Crawler } from "../../../core/audit/crawler.ts";
import { isBundled } from "../../../core/audit/bundled-site.ts";
import { isOfSite, pageAddress } from "../../../core/audit/page-address.ts";
import { parsePage } from "../../../core/audit/parse-page.ts";
import { parseRobots } from "../../../core/audit/robots.ts";
import { readSitemap, SITEMAP_LIMITS } from "../../../core/audit/sitemap.ts";
import type { Instant } from "../../../core/time.ts";
import { refuseFaults } from "../setup-faults.ts";
import { setupFaults, type FoundPages, type GeoAuditSetup } from "./geo-audit-setup.ts";

/** What reading a site's list of pages may take when an audit is priced (audits.md), and when it starts. */
const PRICING_MS = 10_000;
const MOST_ADDRESSES = 50_000;
const MOST_SITEMAPS = 50;
const MOST_BYTES = 50 * 1024 * 1024;

/** True for a setup that names no pages and is right so far. VALIDATION_FAILED for one that is wrong whatever is found. */
export function needsPages(given: GeoAuditSetup, now: Instant): boolean {
  if (given.urls !== undefined) return false;
  refuseFaults(setupFaults(given, now));
  return true;
}

export function lacksPages({ pages, found }: GeoAuditSetup): string | undefined {
  if ((pages ?? found?.pages ?? null) !== null) return undefined;
  return "The website's pages could not be found: its sitemap could not be read. Give urls, or another sitemap_url.";
}

/** The setup with the pages that its sitemap lists, or else that its start page links to; with none where neither can be read. */
export async function findPages(
  setup: GeoAuditSetup,
  { crawler }: { crawler: Crawler },
  { timeoutMs = PRICING_MS }: { timeoutMs?: number } = {},
): Promise<GeoAuditSetup> {
  const search = { crawler, setup, signal: AbortSignal.timeout(timeoutMs), notes: new Set<string>() };
  const found = (await fromSitemaps(search)) ?? (await fromLinks(search));
  const bundled = isBundled(setup.website) ? [BUNDLED_NOTE] : [];
  const { pages, from, notes } = found ?? { pages: null, from: setup.sitemap_url ?? "", notes: [...search.notes] };
  return { ...setup, found: { pages, from, notes: [...bundled, ...notes] } };
}

const BUNDLED_NOTE = "This site comes with the program: its pages are invented, and nothing is fetched.";

interface Search {
  crawler: Crawler;
  setup: GeoAuditSetup;
  signal: AbortSignal;
  notes: Set<string>;
}

async function fromSitemaps(search: Search): Promise<FoundPages | undefined> {
  const { setup, notes } = search;
  const waiting = setup.sitemap_url === undefined ? await namedSitemaps(search) : [setup.sitemap_url];
  const first = waiting[0] ?? "";
  const [read, pages] = [new Set<string>(), new Set<string>()];
  let others = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (read.has(next)) continue;
    if (read.size === MOST_SITEMAPS || pages.size + others >= MOST_ADDRESSES) {
      notes.add(`Of the sitemaps the first ${read.size} were read.`);
      break;
    }
    read.add(next);
    const text = await textAt(search, next);
    if (text === undefined) continue;
    const addresses = MOST_ADDRESSES - pages.size - others;
    const { kind, entries } = readSitemap(text, { ...SITEMAP_LIMITS, addresses });
    if (kind === null) notes.add("What is at the address of the sitemap is no sitemap.");
    for (const { url } of entries) {
      const address = pageAddress(url);
      if (address === null || !isOfSite(address, setup.website)) others += 1;
      else if (kind === "index") waiting.push(address);
      else pages.add(address);
    }
  }
  if (others > 0)
    notes.add(`${others.toLocaleString("en-US")} addresses of the sitemap are not of the website and are left out.`);
  return pages.size === 0 ? undefined : cut([...pages], first, search);
}

/** The sitemaps that robots.txt names, or else the usual one. */
async function namedSitemaps(search: Search): Promise<string[]> {
  const { origin } = new URL(search.setup.website);
  const answer = await search.crawler
    .fetchText(`${origin}/robots.txt`, { signal: search.signal })
    .catch(() => undefined);
  const text = answer?.kind === "text" && answer.status === 200 ? answer.text : "";
  const named = parseRobots(text).sitemaps.flatMap(({ text: one }) => pageAddress(one, origin) ?? []);
  const own = named.filter((one) => isOfSite(one, origin));
  return own.length > 0 ? own : [`${origin}/sitemap.xml`];
}

/** The text of a sitemap; notes why there is none. */
async function textAt({ crawler, signal, notes }: Search, url: string): Promise<string | undefined> {
  try {
    const answer = await crawler.fetchText(url, { signal, limitBytes: MOST_BYTES });
    if (answer.kind === "text" && answer.status === 200) {
      if (answer.isTruncated) notes.add("A sitemap is longer than 50 MB; the rest of it was not read.");
      return answer.text;
    }
    const why = answer.kind === "skipped" ? answer.words : `It answered HTTP ${answer.status}.`;
    notes.add(`The sitemap could not be read: ${why}`);
  } catch {
    notes.add("The sitemap could not be read: it took longer than the time limit.");
  }
  return undefined;
}

/** The start page, and what it links to on its site. */
async function fromLinks(search: Search): Promise<FoundPages | undefined> {
  const { crawler, setup, signal, notes } = search;
  if (setup.sitemap_url !== undefined) return undefined;
  const answer = await crawler.fetchPage(setup.website, { signal }).catch(() => undefined);
  if (answer?.kind !== "page" || answer.page.status !== 200) {
    notes.add("The start page could not be read either.");
    return undefined;
  }
  const { finalUrl, html } = answer.page;
  const linked = parsePage(html).anchors.flatMap(({ href }) => pageAddress(href, finalUrl) ?? []);
  const pages = [...new Set([finalUrl, ...linked])].filter((one) => isOfSite(one, setup.website));
  return cut(pages, "the links of the start page", search);
}

function cut(pages: readonly string[], from: string, { setup, notes }: Search): FoundPages {
  const { max_pages: most } = setup;
  if (pages.length > most)
    notes.add(`${pages.length.toLocaleString("en-US")} pages were found; the first ${most} are audited.`);
  return { pages: pages.slice(0, most), from, notes: [...notes] };
}
