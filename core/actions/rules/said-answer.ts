import { citedIn } from "../../claims/cited-in.ts";
import { hostOf, lookUpHost, registrableDomain } from "../../identity/domains.ts";
import type { StoredPerception } from "../../metrics/facts/stored-perception.ts";
import type { CapturedCitation } from "../../reading/capture.ts";
import { comparableUrl } from "../../reading/citations.ts";

/** An opened answer with its opinions and citations. */
export interface SaidAnswer {
  id: string;
  text: string;
  spans: StoredPerception;
  citations: readonly CapturedCitation[];
}

/** Opened answers by key. */
export interface SaidAnswers {
  answers: ReadonlyMap<number, SaidAnswer>;
  /** Hosts of the own brand, its sub-brands and products. */
  ownHosts: ReadonlyMap<string, unknown>;
}

/** A page cited for an opinion. */
export interface SaidPage {
  url: string;
  domain: string;
  isOwn: boolean;
  keys: number[];
}

interface Place {
  start: number;
  end: number;
}

/** Page cited at a passage; null without one. */
export function pageAt({ text, citations }: SaidAnswer, place: Place): string | null {
  return citedIn(text, place, citations);
}

/**
 * Cited pages by number of answers. Addresses that differ only in tracking parameters are one page.
 */
export function pagesOf(
  cited: Iterable<{ key: number; url: string | null }>,
  ownHosts: SaidAnswers["ownHosts"],
): SaidPage[] {
  const pages = new Map<string, SaidPage>();
  for (const { key, url } of cited) {
    if (url === null || hostOf(url) === "") continue;
    const isOwn = lookUpHost(ownHosts, hostOf(url)) !== undefined;
    const page = pages.get(comparableUrl(url)) ?? { url, domain: registrableDomain(url), isOwn, keys: [] };
    pages.set(comparableUrl(url), page);
    if (!page.keys.includes(key)) page.keys.push(key);
  }
  return [...pages.values()].toSorted((a, b) => b.keys.length - a.keys.length || (a.url < b.url ? -1 : 1));
}

export function wordsAt({ text }: Pick<SaidAnswer, "text">, { start, end }: Place): string {
  return text.slice(start, end).replace(/\s+/g, " ").trim().slice(0, MOST_WORDS).toWellFormed();
}
const MOST_WORDS = 300;

/** Evenly spaced sample, which covers different prompts and sources. */
export function spread<One>(all: readonly One[], most: number): One[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]).flatMap((one) => one ?? []);
}
