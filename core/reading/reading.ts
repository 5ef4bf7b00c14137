import type { Capture, CapturedCitation, Reading, UnreadReason } from "./capture.ts";
import type { CompiledCatalog } from "./catalog.ts";
import { resolveCitations, resolveRetrieved } from "./citations.ts";
import { parseHost, lookUpHost } from "../identity/domains.ts";
import { findMentions } from "./find-mentions.ts";
import type { PromptContext } from "../prompts/brand-prompt.ts";
import { rankBrandsInAnswer, rankBrandsInResults } from "./ranks/ranks.ts";
import { isResultPageSource, type Source } from "../sources/sources.ts";
import { findAddresses } from "./aliases/text-masks.ts";

/** Version of extraction, raised with each change of the rules that can change a reading. */
export const READING_VERSION = 7;

export interface ReadingContext {
  prompt: string;
  source?: Source | undefined;
  /** Facts of the prompt; set for brand analyses only. */
  asked?: PromptContext | undefined;
  /** Subject of a brand analysis, such as "phones". */
  category?: string | undefined;
}

/** A capture with results is a result page if its source lists results or returned no text. */
function isResultPage(capture: Capture, source?: Source): boolean {
  if (capture.results.length === 0) return false;
  return source === undefined || isResultPageSource(source) || capture.text.trim() === "";
}

/**
 * The text that mention offsets refer to: the answer, or the titles and snippets of a result page
 * by rank, one per line, with an empty line between results.
 */
export function readableText(capture: Capture, source?: Source): string {
  if (!isResultPage(capture, source)) return capture.text;
  return capture.results
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ title, snippet }) => `${title ?? ""}\n${snippet ?? ""}`)
    .join("\n\n");
}

/** Extraction gives the original reading; a stored result page has only its results. */
export function restoreCapture(stored: Capture, source: Source): Capture {
  const page = { text: "", citations: [], results: stored.results };
  return isResultPage(page, source) && readableText(page, source) === stored.text ? page : stored;
}

/** Extracts mentions, ranks and citations from one capture. Pure. */
export function readCapture(capture: Capture, catalog: CompiledCatalog, { prompt, source }: ReadingContext): Reading {
  const results = isResultPage(capture, source);
  const text = readableText(capture, source);
  // The title of a result often equals the query and is no echo. Of a result page only its results
  // are stored, so extraction may use nothing else.
  const linked = selectLinkedPages(capture, source);
  let found: Set<number> | undefined;
  const linkedPlaces = () => (found ??= findLinkedBrands([...linked, ...capture.results], text, catalog));
  const mentions = findMentions(text, catalog, results ? "" : prompt, results ? undefined : linkedPlaces);
  const brandRanks = results
    ? rankBrandsInResults(capture, mentions, catalog)
    : rankBrandsInAnswer(capture, mentions, catalog);
  const links = readLinks(capture, catalog, source);
  const isInformative = mentions.length > 0 || linkedPlaces().size > 0;
  const shown = isShown(capture, source);
  return { version: READING_VERSION, isShown: shown, isInformative, mentions, brandRanks, ...links };
}

/** Links and queries only, so that a later version can extract the answer. */
export function createUnreadReading(
  capture: Capture,
  catalog: CompiledCatalog,
  { source, reason }: { source?: Source | undefined; reason: UnreadReason },
): Reading {
  const links = readLinks(capture, catalog, source);
  const nothing = { isShown: false, isInformative: false, mentions: [], brandRanks: [] };
  return { version: READING_VERSION, unread: reason, ...nothing, ...links };
}

function readLinks(capture: Capture, catalog: CompiledCatalog, source?: Source) {
  const results = isResultPage(capture, source);
  const linked = selectLinkedPages(capture, source);
  return {
    citations: resolveCitations(linked, catalog),
    retrieved: results ? [] : resolveRetrieved(capture.retrieved ?? [], linked, catalog),
    queries: (results ? [] : (capture.queries ?? [])).filter((query) => query.trim() !== ""),
  };
}

function selectLinkedPages(capture: Capture, source?: Source): CapturedCitation[] {
  return isResultPage(capture, source) ? listRankedPages(capture) : capture.citations;
}

/** An empty result page counts as shown; an empty answer or AI overview does not. */
function isShown({ text, results }: Capture, source?: Source): boolean {
  return text.trim() !== "" || results.length > 0 || (source !== undefined && isResultPageSource(source));
}

/** Results as citations, so that their site types are looked up as well. */
function listRankedPages({ results }: Capture): CapturedCitation[] {
  return results.map(({ rank, url, title }) => ({ url, title, position: rank }));
}

/** Catalog indexes of the brands whose domains are linked. */
function findLinkedBrands(pages: readonly { url: string }[], text: string, catalog: CompiledCatalog): Set<number> {
  const addresses = [...pages.map(({ url }) => url), ...findAddresses(text)];
  const owners = addresses.map((address) => lookUpHost(catalog.hosts, parseHost(address)));
  return new Set(owners.filter((owner) => owner !== undefined));
}
