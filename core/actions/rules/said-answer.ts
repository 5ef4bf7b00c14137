import { citedIn } from "../../claims/cited-in.ts";
import { hostOf, lookUpHost, registrableDomain } from "../../identity/domains.ts";
import type { StoredPerception } from "../../metrics/facts/stored-perception.ts";
import type { CapturedCitation } from "../../reading/capture.ts";
import { comparableUrl } from "../../reading/citations.ts";

/** An answer that was opened to see what stands in it, where, and which pages it cites. */
export interface SaidAnswer {
  id: string;
  text: string;
  spans: StoredPerception;
  citations: readonly CapturedCitation[];
}

/** Some answers of a collect, by their keys. */
export interface SaidAnswers {
  answers: ReadonlyMap<number, SaidAnswer>;
  /** Hosts of the own brand, its sub-brands and products. */
  ownHosts: ReadonlyMap<string, unknown>;
}

/** A page that answers cite where they say something. */
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

/** The page that an answer cites where it says something; null where it cites none there. */
export function pageAt({ text, citations }: SaidAnswer, place: Place): string | null {
  return citedIn(text, place, citations);
}

/** Pages that are cited, those of most answers first. Addresses that differ in tracking alone are one page. */
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

/** Evenly spread ones of many: those of other prompts and sources among them. */
export function spread<One>(all: readonly One[], most: number): One[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]).flatMap((one) => one ?? []);
}
