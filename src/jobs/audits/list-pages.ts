import { isSameSite, normaliseAddress } from "../../../core/audits/page-address.ts";
import { parsePage } from "../../../core/audits/parse-page.ts";
import { parseSitemap, SITEMAP_LIMITS, type SitemapLimits } from "../../../core/audits/site-files/sitemap.ts";
import { decodePage } from "../../outside/crawler/decode-page.ts";
import type {
  SitemapFile,
  LinksTask,
  ListedPages,
  SitemapTask,
  SitemapPages,
  SitemapPagesTask,
} from "./check-thread.ts";

/** Other pages are stored besides the audited ones, because redirects can lead to them. */
export const MAX_OTHER_PAGES = 5000;

/** Ignores a trailing slash. */
export function listPages({ file, wantedPages }: SitemapTask): ListedPages {
  const { kind, entries, faults } = parseSitemapFile(file);
  const urls = [...new Set(entries.map(({ url }) => url))];
  const said = { parseErrors: faults.map(({ message }) => message) };
  if (kind === "index") return { listedUrls: [], otherUrls: [], sitemaps: urls, ...said };
  const wanted = new Set(wantedPages.flatMap((page) => [page, page.endsWith("/") ? page.slice(0, -1) : `${page}/`]));
  const listedUrls = urls.filter((url) => wanted.has(url));
  const otherUrls = urls.filter((url) => !wanted.has(url)).slice(0, MAX_OTHER_PAGES);
  return { listedUrls, otherUrls, sitemaps: [], ...said };
}

export function listSitemapPages({ file, website, maxPages }: SitemapPagesTask): SitemapPages {
  const { kind, entries } = parseSitemapFile(file, { ...SITEMAP_LIMITS, maxAddresses: maxPages });
  const urls = [...new Set(entries.map(({ url }) => url))];
  const own = urls.filter((url) => normaliseAddress(url) !== null && isSameSite(url, website));
  const listed = kind === "index" ? { pages: [], sitemaps: own } : { pages: own, sitemaps: [] };
  return { ...listed, otherCount: urls.length - own.length, isSitemap: kind !== null };
}

export function listLinkedPages({ html, url, website }: LinksTask): string[] {
  const linked = parsePage(html).anchors.flatMap(({ href }) => normaliseAddress(href, url) ?? []);
  return [...new Set([url, ...linked])].filter((one) => isSameSite(one, website));
}

function parseSitemapFile({ bytes, isTruncated, contentType }: SitemapFile, limits?: SitemapLimits) {
  const { buffer, byteOffset, byteLength } = bytes;
  const body = { bytes: Buffer.from(buffer, byteOffset, byteLength), isTruncated };
  return parseSitemap(decodePage(body, contentType).text, limits);
}
