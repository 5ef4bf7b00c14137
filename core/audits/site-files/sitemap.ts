import { Parser } from "htmlparser2";

/** `count` is the number of places with the fault. */
const FAULT_MESSAGES = {
  empty: () => "The sitemap is empty.",
  other_document: () => "The document is no sitemap.",
  no_addresses: () => "The sitemap lists no address that can be read.",
  too_large: () => "The sitemap is larger than the limit; the rest was not read.",
  too_many_addresses: () => "The sitemap lists more addresses than the limit; the rest was not read.",
  too_deep: () => "The XML nests deeper than a sitemap does; the rest was not read.",
  not_well_formed: (count: number) => `The XML is not well-formed: ${describePlaces(count)} an element is not closed.`,
  bare_ampersand: () => "The XML is not well-formed: an ampersand is not written as &amp;.",
  document_type: () => "The XML declares a document type, which is ignored: its entities are not expanded.",
  not_an_address: (count: number) => `${describeEntries(count)} not an absolute address of http or https.`,
  address_too_long: (count: number) => `${describeEntries(count)} longer than 2,048 characters.`,
  not_a_date: (count: number) => `${describeDates(count)} not in the W3C format, such as 2026-05-17.`,
} as const;

interface SitemapFault {
  kind: keyof typeof FAULT_MESSAGES;
  count: number;
  /** 1-based line of the first occurrence. */
  line: number;
  /** One sentence without text of the sitemap. */
  message: string;
}

interface FaultCounter {
  add(kind: SitemapFault["kind"], at: number): void;
  list(): SitemapFault[];
}

/** Faults are ordered by first occurrence. */
function createFaultCounter(text: string): FaultCounter {
  const faults = new Map<SitemapFault["kind"], { count: number; offset: number }>();
  return {
    add(kind, offset) {
      const before = faults.get(kind);
      if (before) before.count += 1;
      else faults.set(kind, { count: 1, offset });
    },
    list: () =>
      [...faults].map(([kind, { count, offset }]) => ({
        kind,
        count,
        line: countLinesBefore(text, offset),
        message: FAULT_MESSAGES[kind](count),
      })),
  };
}

function countLinesBefore(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", end + 1)) line++;
  return line;
}

function describePlaces(count: number): string {
  return count === 1 ? "in one place" : `in ${count} places`;
}

function describeEntries(count: number): string {
  return count === 1 ? "One entry is" : `${count} entries are`;
}

function describeDates(count: number): string {
  return count === 1 ? "One lastmod is" : `${count} lastmods are`;
}

export interface SitemapLimits {
  /** Addresses, or sitemaps of an index. */
  maxAddresses: number;
  /** Never more than the bytes. */
  maxCharacters: number;
}
/** 50,000 addresses and 50 MB, decompressed (sitemaps.org, protocol 0.9). */
export const SITEMAP_LIMITS: SitemapLimits = { maxAddresses: 50_000, maxCharacters: 50 * 1024 * 1024 };

export interface SitemapEntry {
  /** Absolute http or https address without fragment. */
  url: string;
  /** W3C date and time as written; null if absent or invalid. */
  lastmod: string | null;
}

export interface ParsedSitemap {
  /** An `index` lists sitemaps; null for a document that is no sitemap. */
  kind: "urlset" | "index" | "text" | null;
  entries: readonly SitemapEntry[];
  faults: readonly SitemapFault[];
}

/** sitemaps.org, `<loc>`. */
const MAX_ADDRESS_LENGTH = 2048;
const MAX_LASTMOD_LENGTH = 64;
/** Sitemaps need three levels, extensions a few more. */
const MAX_DEPTH = 32;
/** The parser can stop between pieces. */
const PIECE_LENGTH = 64 * 1024;
/** A year, month, day, or instant with time zone. */
const W3C_DATE_PATTERN = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?$/;
/** An ampersand that does not start a predefined XML reference. */
const BARE_AMPERSAND_PATTERN = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;

/**
 * Takes a sitemap, sitemap index or text sitemap (sitemaps.org, protocol 0.9). Broken XML gives its
 * complete entries. Declared entities are not expanded, and nothing external is loaded. Time is
 * linear in the text, memory in the addresses, both within the limits.
 */
export function parseSitemap(text: string, limits: SitemapLimits = SITEMAP_LIMITS): ParsedSitemap {
  const read = text.slice(0, limits.maxCharacters).replace(/^\uFEFF/, "");
  const faults = createFaultCounter(read);
  if (text.length > limits.maxCharacters) faults.add("too_large", read.length);
  const first = /\S/.exec(read);
  if (!first) {
    faults.add("empty", 0);
    return { kind: null, entries: [], faults: faults.list() };
  }
  const { kind, entries } = first[0] === "<" ? parseXml(read, limits, faults) : parseLines(read, limits, faults);
  return { kind, entries, faults: faults.list() };
}

type ParsedEntries = Pick<ParsedSitemap, "kind" | "entries">;

function parseXml(text: string, limits: SitemapLimits, faults: FaultCounter): ParsedEntries {
  const gathered = gatherEntries(limits, faults);
  const parser = new Parser(
    {
      onopentagname: (name) => gathered.open(name, parser.startIndex),
      ontext: (piece) => gathered.text(piece),
      onclosetag: (name, isImplied) => gathered.close(name, { isImplied, offset: parser.startIndex }),
      onprocessinginstruction(name) {
        if (name.toLowerCase() === "!doctype") faults.add("document_type", parser.startIndex);
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < text.length && !gathered.isDone(); at += PIECE_LENGTH)
    parser.write(text.slice(at, at + PIECE_LENGTH));
  parser.end();
  const { kind, entries } = gathered.ended();
  const bare = kind && !text.includes("<![CDATA[") ? text.search(BARE_AMPERSAND_PATTERN) : -1;
  if (bare !== -1) faults.add("bare_ampersand", bare);
  if (kind && entries.length === 0) faults.add("no_addresses", 0);
  return { kind, entries };
}

/** Stops at the end of the document, for other documents, or at a limit. */
function gatherEntries(limits: SitemapLimits, faults: FaultCounter) {
  const entries: SitemapEntry[] = [];
  let kind: ParsedSitemap["kind"] = null;
  let prefix = "";
  let depth = 0;
  let isDone = false;
  let entry: { url: string | null; lastmod: string | null } | null = null;
  let field: { name: "loc" | "lastmod"; text: string; offset: number } | null = null;

  const stop = (fault: SitemapFault["kind"], at: number) => {
    faults.add(fault, at);
    isDone = true;
  };
  const keepEntry = () => {
    if (entry?.url) entries.push({ url: entry.url, lastmod: entry.lastmod });
    entry = null;
  };
  const beginEntry = (at: number) => {
    if (entry) faults.add("not_well_formed", at);
    keepEntry();
    if (entries.length >= limits.maxAddresses) stop("too_many_addresses", at);
    else entry = { url: null, lastmod: null };
  };
  return {
    isDone: () => isDone,
    open(name: string, offset: number) {
      if (isDone) return;
      depth += 1;
      if (depth > MAX_DEPTH) return stop("too_deep", offset);
      if (depth === 1) {
        prefix = name.includes(":") ? name.slice(0, name.indexOf(":") + 1) : "";
        kind = toSitemapKind(name.slice(prefix.length));
        return kind ? undefined : stop("other_document", offset);
      }
      if (name === `${prefix}${kind === "index" ? "sitemap" : "url"}`) beginEntry(offset);
      else if (entry && name === `${prefix}loc`) field = { name: "loc", text: "", offset };
      else if (entry && name === `${prefix}lastmod`) field = { name: "lastmod", text: "", offset };
    },
    text(piece: string) {
      if (field && field.text.length <= MAX_ADDRESS_LENGTH) field.text += piece;
    },
    close(name: string, { isImplied, offset }: { isImplied: boolean; offset: number }) {
      if (isDone) return;
      depth -= 1;
      if (isImplied) faults.add("not_well_formed", offset);
      if (field && name === `${prefix}${field.name}`) {
        // An implied end means that the value was cut off.
        if (entry && !isImplied && field.name === "loc") entry.url = parseAddress(field.text, field.offset, faults);
        else if (entry && !isImplied) entry.lastmod = parseLastmod(field.text, field.offset, faults);
        field = null;
      } else if (depth === 1) {
        keepEntry();
      }
    },
    ended(): ParsedEntries {
      keepEntry();
      return { kind, entries };
    },
  };
}

/** One address per line (sitemaps.org, "Text file"). */
function parseLines(text: string, limits: SitemapLimits, faults: FaultCounter): ParsedEntries {
  const entries: SitemapEntry[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    const line = text.slice(at, Math.min(next, at + MAX_ADDRESS_LENGTH + 2)).trim();
    if (line && entries.length >= limits.maxAddresses) {
      faults.add("too_many_addresses", at);
      break;
    }
    const url = line ? parseAddress(line, at, faults) : null;
    if (url) entries.push({ url, lastmod: null });
    at = next;
  }
  if (entries.length === 0) faults.add("other_document", 0);
  return { kind: entries.length === 0 ? null : "text", entries };
}

function toSitemapKind(name: string): ParsedSitemap["kind"] {
  if (name === "urlset") return "urlset";
  return name === "sitemapindex" ? "index" : null;
}

function parseAddress(text: string, at: number, faults: FaultCounter): string | null {
  const address = text.trim();
  if (address.length >= MAX_ADDRESS_LENGTH) {
    faults.add("address_too_long", at);
    return null;
  }
  const url = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : null;
  if (!url) {
    faults.add("not_an_address", at);
    return null;
  }
  url.hash = "";
  return url.href;
}

function parseLastmod(text: string, at: number, faults: FaultCounter): string | null {
  const lastmod = text.trim();
  if (!lastmod) return null;
  if (lastmod.length <= MAX_LASTMOD_LENGTH && W3C_DATE_PATTERN.test(lastmod) && !Number.isNaN(Date.parse(lastmod)))
    return lastmod;
  faults.add("not_a_date", at);
  return null;
}
