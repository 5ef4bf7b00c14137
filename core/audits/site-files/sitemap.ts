import { Parser } from "htmlparser2";

/** Messages by kind of sitemap fault; `count` is the number of places with the fault. */
const SAYS = {
  empty: () => "The sitemap is empty.",
  other_document: () => "The document is no sitemap.",
  no_addresses: () => "The sitemap lists no address that can be read.",
  too_large: () => "The sitemap is larger than the limit; the rest was not read.",
  too_many_addresses: () => "The sitemap lists more addresses than the limit; the rest was not read.",
  too_deep: () => "The XML nests deeper than a sitemap does; the rest was not read.",
  not_well_formed: (count: number) => `The XML is not well-formed: ${places(count)} an element is not closed.`,
  bare_ampersand: () => "The XML is not well-formed: an ampersand is not written as &amp;.",
  document_type: () => "The XML declares a document type, which is ignored: its entities are not expanded.",
  not_an_address: (count: number) => `${entriesAre(count)} not an absolute address of http or https.`,
  address_too_long: (count: number) => `${entriesAre(count)} longer than 2,048 characters.`,
  not_a_date: (count: number) => `${dates(count)} not in the W3C format, such as 2026-05-17.`,
} as const;

interface SitemapFault {
  kind: keyof typeof SAYS;
  count: number;
  /** 1-based line of the first occurrence. */
  line: number;
  /** One sentence without text of the sitemap. */
  message: string;
}

interface FaultCounter {
  /** Counts a fault at an offset of the text. */
  add(kind: SitemapFault["kind"], at: number): void;
  counted(): SitemapFault[];
}

/** Counts faults by kind, ordered by first occurrence. */
function faultCounter(text: string): FaultCounter {
  const found = new Map<SitemapFault["kind"], { count: number; at: number }>();
  return {
    add(kind, at) {
      const before = found.get(kind);
      if (before) before.count += 1;
      else found.set(kind, { count: 1, at });
    },
    counted: () =>
      [...found].map(([kind, { count, at }]) => ({ kind, count, line: lineOf(text, at), message: SAYS[kind](count) })),
  };
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", end + 1)) line++;
  return line;
}

function places(count: number): string {
  return count === 1 ? "in one place" : `in ${count} places`;
}

function entriesAre(count: number): string {
  return count === 1 ? "One entry is" : `${count} entries are`;
}

function dates(count: number): string {
  return count === 1 ? "One lastmod is" : `${count} lastmods are`;
}

export interface SitemapLimits {
  /** Max addresses, or sitemaps of an index. */
  addresses: number;
  /** Max characters, which never exceed the bytes. */
  characters: number;
}
/** 50,000 addresses and 50 MB, decompressed (sitemaps.org, protocol 0.9). */
export const SITEMAP_LIMITS: SitemapLimits = { addresses: 50_000, characters: 50 * 1024 * 1024 };

export interface SitemapEntry {
  /** Absolute http or https address, normalised, without fragment. */
  url: string;
  /** W3C date and time as written; null if absent or invalid. */
  lastmod: string | null;
}

export interface Sitemap {
  /** An index lists sitemaps; null for other documents. */
  kind: "urlset" | "index" | "text" | null;
  entries: readonly SitemapEntry[];
  faults: readonly SitemapFault[];
}

/** Max length of an address (sitemaps.org, `<loc>`). */
const LONGEST_ADDRESS = 2048;
const LONGEST_LASTMOD = 64;
/** Max nesting; sitemaps need three levels, extensions a few more. */
const DEEPEST = 32;
/** Characters parsed at a time; the parser can stop between pieces. */
const PIECE = 64 * 1024;
/** W3C date and time: a year, month, day, or instant with time zone. */
const W3C_DATE = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?$/;
/** An ampersand that is not one of XML's predefined references. */
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;

/**
 * Parses a sitemap, sitemap index or text sitemap (sitemaps.org, protocol 0.9). Broken XML gives
 * its complete entries. Entities of document types are not expanded, and nothing external is
 * loaded. Time is linear in the text, memory in the addresses, both within the limits.
 */
export function readSitemap(text: string, limits: SitemapLimits = SITEMAP_LIMITS): Sitemap {
  const read = text.slice(0, limits.characters).replace(/^\uFEFF/, "");
  const faults = faultCounter(read);
  if (text.length > limits.characters) faults.add("too_large", read.length);
  const first = /\S/.exec(read);
  if (!first) {
    faults.add("empty", 0);
    return { kind: null, entries: [], faults: faults.counted() };
  }
  const { kind, entries } = first[0] === "<" ? readXml(read, limits, faults) : readLines(read, limits, faults);
  return { kind, entries, faults: faults.counted() };
}

type Read = Pick<Sitemap, "kind" | "entries">;

function readXml(text: string, limits: SitemapLimits, faults: FaultCounter): Read {
  const gathered = gatherEntries(limits, faults);
  const parser = new Parser(
    {
      onopentagname: (name) => gathered.open(name, parser.startIndex),
      ontext: (piece) => gathered.text(piece),
      onclosetag: (name, isImplied) => gathered.close(name, { isImplied, at: parser.startIndex }),
      onprocessinginstruction(name) {
        if (name.toLowerCase() === "!doctype") faults.add("document_type", parser.startIndex);
      },
    },
    { xmlMode: true },
  );
  for (let at = 0; at < text.length && !gathered.isDone(); at += PIECE) parser.write(text.slice(at, at + PIECE));
  parser.end();
  const { kind, entries } = gathered.ended();
  const bare = kind && !text.includes("<![CDATA[") ? text.search(BARE_AMPERSAND) : -1;
  if (bare !== -1) faults.add("bare_ampersand", bare);
  if (kind && entries.length === 0) faults.add("no_addresses", 0);
  return { kind, entries };
}

/** Collects entries until the document ends, is something else, or exceeds a limit. */
function gatherEntries(limits: SitemapLimits, faults: FaultCounter) {
  const entries: SitemapEntry[] = [];
  let kind: Sitemap["kind"] = null;
  let prefix = "";
  let depth = 0;
  let isDone = false;
  let entry: { url: string | null; lastmod: string | null } | null = null;
  let field: { name: "loc" | "lastmod"; text: string; at: number } | null = null;

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
    if (entries.length >= limits.addresses) stop("too_many_addresses", at);
    else entry = { url: null, lastmod: null };
  };
  return {
    isDone: () => isDone,
    open(name: string, at: number) {
      if (isDone) return;
      depth += 1;
      if (depth > DEEPEST) return stop("too_deep", at);
      if (depth === 1) {
        prefix = name.includes(":") ? name.slice(0, name.indexOf(":") + 1) : "";
        kind = rootKind(name.slice(prefix.length));
        return kind ? undefined : stop("other_document", at);
      }
      if (name === `${prefix}${kind === "index" ? "sitemap" : "url"}`) beginEntry(at);
      else if (entry && name === `${prefix}loc`) field = { name: "loc", text: "", at };
      else if (entry && name === `${prefix}lastmod`) field = { name: "lastmod", text: "", at };
    },
    text(piece: string) {
      if (field && field.text.length <= LONGEST_ADDRESS) field.text += piece;
    },
    close(name: string, { isImplied, at }: { isImplied: boolean; at: number }) {
      if (isDone) return;
      depth -= 1;
      if (isImplied) faults.add("not_well_formed", at);
      if (field && name === `${prefix}${field.name}`) {
        // An implied end means that the value was cut off.
        if (entry && !isImplied && field.name === "loc") entry.url = readAddress(field.text, field.at, faults);
        else if (entry && !isImplied) entry.lastmod = readLastmod(field.text, field.at, faults);
        field = null;
      } else if (depth === 1) {
        keepEntry();
      }
    },
    ended(): Read {
      keepEntry();
      return { kind, entries };
    },
  };
}

/** Parses a text sitemap: one address per line (sitemaps.org, "Text file"). */
function readLines(text: string, limits: SitemapLimits, faults: FaultCounter): Read {
  const entries: SitemapEntry[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    const line = text.slice(at, Math.min(next, at + LONGEST_ADDRESS + 2)).trim();
    if (line && entries.length >= limits.addresses) {
      faults.add("too_many_addresses", at);
      break;
    }
    const url = line ? readAddress(line, at, faults) : null;
    if (url) entries.push({ url, lastmod: null });
    at = next;
  }
  if (entries.length === 0) faults.add("other_document", 0);
  return { kind: entries.length === 0 ? null : "text", entries };
}

function rootKind(name: string): Sitemap["kind"] {
  if (name === "urlset") return "urlset";
  return name === "sitemapindex" ? "index" : null;
}

function readAddress(text: string, at: number, faults: FaultCounter): string | null {
  const address = text.trim();
  if (address.length >= LONGEST_ADDRESS) {
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

function readLastmod(text: string, at: number, faults: FaultCounter): string | null {
  const lastmod = text.trim();
  if (!lastmod) return null;
  if (lastmod.length <= LONGEST_LASTMOD && W3C_DATE.test(lastmod) && !Number.isNaN(Date.parse(lastmod))) return lastmod;
  faults.add("not_a_date", at);
  return null;
}
