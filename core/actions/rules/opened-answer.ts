import { findCitedPage } from "../../claims/find-cited-page.ts";
import { parseHost, lookUpHost, registrableDomain } from "../../identity/domains.ts";
import type { StoredPerception } from "../../metrics/facts/stored-perception.ts";
import type { CapturedCitation } from "../../reading/capture.ts";
import { toComparableUrl } from "../../reading/citations.ts";

export interface OpenedAnswer {
  id: string;
  text: string;
  spans: StoredPerception;
  citations: readonly CapturedCitation[];
}

export interface OpenedAnswers {
  answers: ReadonlyMap<number, OpenedAnswer>;
  /** Hosts of the own brand, its sub-brands and products. */
  ownHosts: ReadonlyMap<string, unknown>;
}

export interface OpinionPage {
  url: string;
  domain: string;
  isOwn: boolean;
  keys: number[];
}

interface TextSpan {
  start: number;
  end: number;
}

/** Page that an answer cites at a passage; null if the passage has no citation. */
export function findCitedPageAt({ text, citations }: OpenedAnswer, span: TextSpan): string | null {
  return findCitedPage(text, span, citations);
}

/** Cited pages by number of answers; addresses that differ only in tracking parameters are one. */
export function groupCitedPages(
  cited: Iterable<{ key: number; url: string | null }>,
  ownHosts: OpenedAnswers["ownHosts"],
): OpinionPage[] {
  const pages = new Map<string, OpinionPage>();
  for (const { key, url } of cited) {
    if (url === null || parseHost(url) === "") continue;
    const isOwn = lookUpHost(ownHosts, parseHost(url)) !== undefined;
    const page = pages.get(toComparableUrl(url)) ?? { url, domain: registrableDomain(url), isOwn, keys: [] };
    pages.set(toComparableUrl(url), page);
    if (!page.keys.includes(key)) page.keys.push(key);
  }
  return [...pages.values()].toSorted((a, b) => b.keys.length - a.keys.length || (a.url < b.url ? -1 : 1));
}

export function extractExcerpt({ text }: Pick<OpenedAnswer, "text">, { start, end }: TextSpan): string {
  return text.slice(start, end).replace(/\s+/g, " ").trim().slice(0, MAX_EXCERPT_LENGTH).toWellFormed();
}
const MAX_EXCERPT_LENGTH = 300;

/** Evenly spaced sample, which covers different prompts and sources. */
export function sampleEvenly<One>(all: readonly One[], most: number): One[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]).flatMap((one) => one ?? []);
}
