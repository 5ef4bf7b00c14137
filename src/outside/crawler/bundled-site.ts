import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toSkippedFetch, type Crawler, type ResponseInfo } from "../../../core/audits/crawler.ts";
import { BUNDLED_ORIGIN, isBundledUrl } from "../../../core/audits/bundled-site.ts";
import type { PageHeaders } from "../../../core/audits/fetched-page.ts";
import PAGES from "../../../lists/demo/pages.json" with { type: "json" };

const SITE_FOLDER = fileURLToPath(import.meta.resolve("#root/lists/demo/site"));
const readSiteFile = (path: string) => readFileSync(SITE_FOLDER + path, "utf8");

/** Company, products and people are invented; the faults are those that audits find most often. */
const BUNDLED_PAGES = PAGES.map((page) => ({ ...page, html: readSiteFile(`${page.path}index.html`) }));
type BundledPage = (typeof BUNDLED_PAGES)[number];

const ROBOTS_PATH = "/robots.txt";
const SITEMAP_PATH = "/sitemap.xml";
export const BUNDLED_SITEMAP = readSiteFile(SITEMAP_PATH);
const BUNDLED_FILES: Readonly<Record<string, string>> = {
  [ROBOTS_PATH]: readSiteFile(ROBOTS_PATH),
  [SITEMAP_PATH]: BUNDLED_SITEMAP,
};

export function addBundledSite(crawler: Crawler): Crawler {
  const { renderPage } = crawler;
  return {
    userAgent: crawler.userAgent,
    async fetchPage(url, options) {
      if (!isBundledUrl(url)) return crawler.fetchPage(url, options);
      options?.signal?.throwIfAborted();
      const page = findBundledPage(url);
      const answer = buildPageResponse(url, page);
      if (page && options?.etag != null && options.etag === answer.headers.etag)
        return { kind: "not_modified", ...answer };
      const html = page?.html ?? "<!doctype html><title>Not found</title><p>There is no such page.</p>";
      const { retryAfterMs, ...fetched } = answer;
      const body = { html, bytes: Buffer.byteLength(html), encoding: "utf-8", isTruncated: false };
      return { kind: "page", page: { ...fetched, ...body }, retryAfterMs };
    },
    async fetchText(url, options) {
      if (!isBundledUrl(url)) return crawler.fetchText(url, options);
      options?.signal?.throwIfAborted();
      const text = BUNDLED_FILES[new URL(url).pathname];
      const bytes = Buffer.byteLength(text ?? "");
      return { kind: "text", ...buildFileResponse(url, text), text: text ?? "", bytes, isTruncated: false };
    },
    async fetchFile(url, options) {
      if (!isBundledUrl(url)) return crawler.fetchFile(url, options);
      options?.signal?.throwIfAborted();
      const text = BUNDLED_FILES[new URL(url).pathname];
      return { kind: "file", ...buildFileResponse(url, text), bytes: Buffer.from(text ?? ""), isTruncated: false };
    },
    renderPage:
      renderPage &&
      (async (url, options) => {
        // A browser would resolve the address on the network.
        return isBundledUrl(url) ? toSkippedFetch("name_not_found") : renderPage(url, options);
      }),
  };
}

function findBundledPage(url: string): BundledPage | undefined {
  const { pathname } = new URL(url);
  return BUNDLED_PAGES.find(({ path }) => path === pathname);
}

function buildFileResponse(url: string, text: string | undefined): ResponseInfo {
  return { ...buildPageResponse(url, undefined), status: text === undefined ? 404 : 200 };
}

function buildPageResponse(url: string, page: BundledPage | undefined): ResponseInfo {
  const { pathname } = new URL(url);
  const finalUrl = `${BUNDLED_ORIGIN}${pathname}`;
  const headers: PageHeaders = {
    contentType: "text/html; charset=utf-8",
    xRobotsTag: page?.xRobotsTag == null ? [] : [page.xRobotsTag],
    link: [],
    contentLanguage: "en",
    cacheControl: "max-age=3600",
    etag: page ? `"bundled-${page.path}"` : null,
    lastModified: null,
  };
  const redirects = finalUrl === url ? [] : [{ url, status: 301, to: finalUrl }];
  return { url, finalUrl, redirects, status: page ? 200 : 404, headers, responseMs: 0, retryAfterMs: undefined };
}
