import type { SiteSubject } from "../../../core/audits/check.ts";
import { askAsCrawlers } from "./crawler-answers.ts";
import {
  getProductToken,
  checkPermission,
  openPermissions,
  fetchRobots,
  type Permissions,
  type SiteTools,
} from "./robots-files.ts";
import { readSitemaps } from "./read-sitemaps.ts";

export interface SiteToRead {
  website: string;
  sitemapUrl: string | null;
  pages: readonly string[];
  isOwn: boolean;
}

/** With `retryHint`, robots.txt may be readable on a retry, and the rest is unread. */
export async function readSite(
  site: SiteToRead,
  tools: SiteTools,
): Promise<{ siteFacts: SiteSubject; retryHint: { retryAfterMs?: number | undefined } | undefined }> {
  const { crawler, signal } = tools;
  const { origin } = new URL(site.website);
  const { robots, retryHint } = await fetchRobots(crawler, origin, signal);
  if ("unread" in robots) {
    return {
      siteFacts: { origin, robots, sitemap: { unread: "robots.txt could not be read." }, llmsTxt: null },
      retryHint,
    };
  }
  const getPermission = openPermissions({ origin, robots }, tools);
  const given = site.sitemapUrl === null ? [] : [site.sitemapUrl];
  const sitemapUrls = [...given, ...(await listNamedSitemaps({ origin, robots }, tools))];
  return {
    siteFacts: {
      origin,
      robots,
      sitemap: await readSitemaps({ sitemapUrls, origin, pages: site.pages, permissions: getPermission }, tools),
      llmsTxt: await readLlmsTxt(origin, getPermission, tools),
      ...(site.isOwn ? { crawlerAnswers: await askAsCrawlers(origin, { ...tools, getPermission }) } : {}),
    },
    retryHint: undefined,
  };
}

async function listNamedSitemaps(
  { origin, robots }: Pick<SiteSubject, "origin" | "robots">,
  { crawler, checker, signal }: SiteTools,
): Promise<string[]> {
  if ("unread" in robots || robots.text === "") return [];
  const order = { text: robots.text, agent: getProductToken(crawler), url: origin };
  return (await checker.readRobots(order, signal))?.sitemaps ?? [];
}

const MAX_LLMS_TXT_BYTES = 64 * 1024;

/** Null if the file is missing or a web page takes its URL. */
async function readLlmsTxt(origin: string, permissions: Permissions, { crawler, signal }: SiteTools) {
  const url = `${origin}/llms.txt`;
  const { deniedReason, ...allowed } = await checkPermission(permissions, url);
  if (deniedReason !== null) return null;
  const answer = await crawler.fetchText(url, { ...allowed, signal, limitBytes: MAX_LLMS_TXT_BYTES });
  if (answer.kind !== "text" || answer.status < 200 || answer.status > 299) return null;
  return /html/i.test(answer.headers.contentType ?? "") ? null : answer.text;
}
