import type { CapturedCitation, Citation } from "./capture.ts";
import type { CompiledCatalog } from "./catalog.ts";
import { detectCompetitorType } from "../brands/competitor-type.ts";
import { parseHost, lookUpHost, registrableDomain } from "../identity/domains.ts";

const TRACKING_PARAMETER_PATTERN = /^(?:utm_\w+|gclid|fbclid|msclkid|srsltid|ref_src)$/i;

/** Host, path and query, without fragment and tracking parameters. */
export function toComparableUrl(url: string): string {
  if (!URL.canParse(url)) return url.trim();
  const { pathname, searchParams } = new URL(url);
  const query = new URLSearchParams(
    [...searchParams].filter(([name]) => !TRACKING_PARAMETER_PATTERN.test(name)),
  ).toString();
  return `${parseHost(url)}${pathname.replace(/(?<!\/)\/+$/, "")}${query === "" ? "" : `?${query}`}`;
}

/**
 * Lists the cited pages in answer order. Addresses that differ only in tracking parameters are
 * merged: the first URL and position, and all spans. Links without a host are dropped.
 */
export function resolveCitations(citations: readonly CapturedCitation[], catalog: CompiledCatalog): Citation[] {
  return resolvePages(citations, catalog, new Map());
}

/** Lists the distinct pages opened for an answer, except the cited ones. */
export function resolveRetrieved(
  retrieved: readonly CapturedCitation[],
  cited: readonly CapturedCitation[],
  catalog: CompiledCatalog,
): Citation[] {
  return resolvePages(retrieved, catalog, new Map(cited.map(({ url }) => [toComparableUrl(url), undefined])));
}

/** Merges pages into `seen`; a repeated page adds its spans to the earlier entry. */
function resolvePages(
  citations: readonly CapturedCitation[],
  catalog: CompiledCatalog,
  cache: Map<string, Citation | undefined>,
): Citation[] {
  const pages: Citation[] = [];
  for (const citation of citations.toSorted((a, b) => a.position - b.position)) {
    const page = toComparableUrl(citation.url);
    const host = parseHost(citation.url);
    if (host === "") continue;
    if (cache.has(page)) {
      const first = cache.get(page);
      if (first && citation.spans) first.spans = [...(first.spans ?? []), ...citation.spans];
      continue;
    }
    const owner = lookUpHost(catalog.hosts, host);
    const brand = owner === undefined ? undefined : catalog.brands[owner];
    const read = {
      ...citation,
      domain: registrableDomain(citation.url),
      competitor_type: detectCompetitorType({ url: citation.url, brand }),
      brand_id: brand?.id ?? null,
    };
    cache.set(page, read);
    pages.push(read);
  }
  return pages;
}
