import { createHash } from "node:crypto";
import type { StoredAddress } from "./audit-rows.ts";
import type { SiteSubject } from "./check.ts";
import type { ResponseInfo } from "./crawler.ts";
import type { FetchedPage, PageHeaders } from "./fetched-page.ts";
import type { PageType } from "./page-type.ts";

/** Crawler responses and the sitemap only affect address checks, which are never reused. */
export function computeRunBasis(rules: number, names: readonly string[], site: SiteSubject): string {
  const { origin, robots, llmsTxt } = site;
  return hashJson([rules, names, origin, robots, llmsTxt]);
}

/** Includes the month, because date checks depend on age. */
export function computePageBasis(
  run: string,
  { pageType, fetchedAtMs }: { pageType: PageType | null; fetchedAtMs: number },
): string {
  return hashJson([run, pageType, new Date(fetchedAtMs).toISOString().slice(0, "2026-11".length)]);
}

function hashJson(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** After a 304, updates stored fields from the new response (RFC 9111, 4.3.4). */
export function mergeUnchangedPage(stored: StoredAddress, answer: Omit<ResponseInfo, "retryAfterMs">): FetchedPage {
  const { digest: _digest, basis: _basis, ...page } = stored;
  const { url, finalUrl, redirects, responseMs } = answer;
  return {
    ...page,
    url,
    finalUrl,
    redirects,
    responseMs,
    headers: mergeHeaders(page.headers, answer.headers),
    html: "",
  };
}

function mergeHeaders(known: PageHeaders, newer: PageHeaders): PageHeaders {
  return {
    contentType: newer.contentType ?? known.contentType,
    xRobotsTag: newer.xRobotsTag.length > 0 ? newer.xRobotsTag : known.xRobotsTag,
    link: newer.link.length > 0 ? newer.link : known.link,
    contentLanguage: newer.contentLanguage ?? known.contentLanguage,
    cacheControl: newer.cacheControl ?? known.cacheControl,
    etag: newer.etag ?? known.etag,
    lastModified: newer.lastModified ?? known.lastModified,
  };
}
