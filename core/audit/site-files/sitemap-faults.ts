/** What can be wrong with a sitemap, and how it is said of `count` places. */
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
  not_an_address: (count: number) => `${entries(count)} not an absolute address of http or https.`,
  address_too_long: (count: number) => `${entries(count)} longer than 2,048 characters.`,
  not_a_date: (count: number) => `${dates(count)} not in the W3C format, such as 2026-05-17.`,
} as const;

/** One kind of fault of a sitemap. */
export interface SitemapFault {
  kind: keyof typeof SAYS;
  count: number;
  /** Of the first, from 1. */
  line: number;
  /** In one sentence, without text of the sitemap. */
  message: string;
}

export interface FaultCounter {
  /** Counts a fault at a position of the text. */
  add(kind: SitemapFault["kind"], at: number): void;
  counted(): SitemapFault[];
}

/** Counts the faults of a text by kind, in the order of their first places. */
export function faultCounter(text: string): FaultCounter {
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

function entries(count: number): string {
  return count === 1 ? "One entry is" : `${count} entries are`;
}

function dates(count: number): string {
  return count === 1 ? "One lastmod is" : `${count} lastmods are`;
}
