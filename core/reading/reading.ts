import type { Capture, CapturedCitation, Reading, UnreadReason } from "./capture.ts";
import type { CompiledCatalog } from "./catalog.ts";
import { readCitations, readRetrieved } from "./citations.ts";
import { hostOf, lookUpHost } from "../identity/domains.ts";
import { findMentions } from "./find-mentions.ts";
import type { AskedPrompt } from "../prompts/brand-prompt.ts";
import { placesInAnswer, placesInResults } from "./ranks/ranks.ts";
import { once } from "../shared/once.ts";
import { listsResults } from "../sources/sources.ts";
import type { Source } from "../sources/sources.ts";
import { linkedAddresses } from "./aliases/text-masks.ts";

/** Grows with every change of the rules that can change a reading. */
export const READING_VERSION = 7;

export interface ReadingContext {
  prompt: string;
  source?: Source | undefined;
  /** What a prompt of a brand analysis asks about. */
  asked?: AskedPrompt | undefined;
  /** What a brand analysis is about: phones. */
  category?: string | undefined;
}

/** True when a capture is read as a page of results: it has some, and its source lists them or left no text. */
function isResultPage(capture: Capture, source?: Source): boolean {
  if (capture.results.length === 0) return false;
  return source === undefined || listsResults(source) || capture.text.trim() === "";
}

/**
 * The text that mentions are found in and that their offsets refer to: an answer's own, or of a page of results the
 * titles and snippets by rank, one a line, with an empty line between results.
 */
export function readableText(capture: Capture, source?: Source): string {
  if (!isResultPage(capture, source)) return capture.text;
  return capture.results
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ title, snippet }) => `${title ?? ""}\n${snippet ?? ""}`)
    .join("\n\n");
}

/**
 * The capture that a stored answer came from, as far as its reading depends on it: read again, it gives what reading
 * it gave at first. Of a page of results only the results were kept, and their titles and snippets as the text.
 */
export function storedCapture(stored: Capture, source: Source): Capture {
  const page = { text: "", citations: [], results: stored.results };
  return isResultPage(page, source) && readableText(page, source) === stored.text ? page : stored;
}

/** Reads one capture with a compiled catalog: who is named, at which rank, and what is cited. Pure. */
export function readCapture(capture: Capture, catalog: CompiledCatalog, { prompt, source }: ReadingContext): Reading {
  const results = isResultPage(capture, source);
  const text = readableText(capture, source);
  // A result's title often is the query, word for word, and is no echo.
  // Of a page of results only its results are kept, so nothing else may decide how it is read.
  const linked = linkedPages(capture, source);
  const linkedPlaces = once(() => placesLinkedTo([...linked, ...capture.results], text, catalog));
  const mentions = findMentions(text, catalog, results ? "" : prompt, results ? undefined : linkedPlaces);
  const places = results ? placesInResults(capture, mentions, catalog) : placesInAnswer(capture, mentions, catalog);
  const links = readLinks(capture, catalog, source);
  const informative = mentions.length > 0 || linkedPlaces().size > 0;
  const shown = isShown(capture, source);
  return { version: READING_VERSION, shown, informative, mentions, places, ...links };
}

/**
 * The reading of an answer whose text could not be read: nothing but its links and searches, from which a later version can
 * read it.
 */
export function unreadReading(
  capture: Capture,
  catalog: CompiledCatalog,
  { source, reason }: { source?: Source | undefined; reason: UnreadReason },
): Reading {
  const links = readLinks(capture, catalog, source);
  const nothing = { shown: false, informative: false, mentions: [], places: [] };
  return { version: READING_VERSION, unread: reason, ...nothing, ...links };
}

/** What a capture cites, was written from and searched for. */
function readLinks(capture: Capture, catalog: CompiledCatalog, source?: Source) {
  const results = isResultPage(capture, source);
  const linked = linkedPages(capture, source);
  return {
    citations: readCitations(linked, catalog),
    retrieved: results ? [] : readRetrieved(capture.retrieved ?? [], linked, catalog),
    queries: (results ? [] : (capture.queries ?? [])).filter((query) => query.trim() !== ""),
  };
}

function linkedPages(capture: Capture, source?: Source): CapturedCitation[] {
  return isResultPage(capture, source) ? rankedPages(capture) : capture.citations;
}

/** A page without results is one all the same; a search engine that has nothing to say shows no overview. */
function isShown({ text, results }: Capture, source?: Source): boolean {
  return text.trim() !== "" || results.length > 0 || (source !== undefined && listsResults(source));
}

/** Of a page of results, the pages that it lists: their kinds of site are asked for as those of cited pages are. */
function rankedPages({ results }: Capture): CapturedCitation[] {
  return results.map(({ rank, url, title }) => ({ url, title, position: rank }));
}

/** Places in the catalog of the brands whose domains are linked. */
function placesLinkedTo(pages: readonly { url: string }[], text: string, catalog: CompiledCatalog): Set<number> {
  const addresses = [...pages.map(({ url }) => url), ...linkedAddresses(text)];
  const owners = addresses.map((address) => lookUpHost(catalog.hosts, hostOf(address)));
  return new Set(owners.filter((owner) => owner !== undefined));
}
