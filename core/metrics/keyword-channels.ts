import { packColumns, decodeJsonColumn, unpackColumns, toIntegerColumn, type Column } from "./packed-columns.ts";
import { COMPETITOR_TYPES, type CompetitorType } from "../sources/sources.ts";

/** Counts for the analysis's own brand. */
export interface KeywordChannel {
  answers: number;
  notShown: number;
  occurrences: number;
  rankSum: number;
  weightSum: number;
  /** The own brand's ranked or cited pages, in order of appearance. */
  urls: [url: string, times: number][];
  /** Types that ranked or were cited. */
  siteTypes: Set<CompetitorType>;
}

/** Columns by keyword position. */
export interface KeywordChannels {
  answers: Column;
  notShown: Column;
  occurrences: Column;
  rankSums: Column;
  weightSums: Column;
  /** One bit per competitor type, in the order of COMPETITOR_TYPES. */
  siteTypes: Column;
  /** Start of each keyword's pages in `pages`, plus the end. */
  pageStarts: Column;
  /** Indexes in `urls`. */
  pages: Column;
  pageTimes: Column;
  urls: string[];
}

export function createChannel(): KeywordChannel {
  return {
    answers: 0,
    notShown: 0,
    occurrences: 0,
    rankSum: 0,
    weightSum: 0,
    urls: [],
    siteTypes: new Set(),
  };
}

export function packChannels(channels: readonly KeywordChannel[]): Buffer {
  const pages = channels.flatMap((channel) => channel.urls);
  const places = new Map([...new Set(pages.map(([url]) => url))].map((url, place) => [url, place]));
  let start = 0;
  const columns = [
    toIntegerColumn(channels.map((channel) => channel.answers)),
    toIntegerColumn(channels.map((channel) => channel.notShown)),
    toIntegerColumn(channels.map((channel) => channel.occurrences)),
    toIntegerColumn(channels.map((channel) => channel.rankSum)),
    Float64Array.from(channels, (channel) => channel.weightSum),
    toIntegerColumn(channels.map((channel) => toSiteTypeBits(channel.siteTypes))),
    toIntegerColumn([0, ...channels.map((channel) => (start += channel.urls.length))]),
    toIntegerColumn(pages.map(([url]) => places.get(url) ?? 0)),
    toIntegerColumn(pages.map(([, times]) => times)),
  ];
  return packColumns(columns, JSON.stringify([...places.keys()]));
}

export function unpackChannels(packed: Uint8Array): KeywordChannels {
  const { columns, text } = unpackColumns(packed);
  const [answers, notShown, occurrences, rankSums, weightSums, siteTypes, ...rest] = columns;
  const [pageStarts, pages, pageTimes] = rest;
  if (!answers || !notShown || !occurrences || !rankSums || !weightSums || !siteTypes) throw createMissingColumnError();
  if (!pageStarts || !pages || !pageTimes) throw createMissingColumnError();
  const urls = decodeJsonColumn(text) as string[]; // safe cast: packChannels wrote the column
  const sums = { answers, notShown, occurrences, rankSums, weightSums, siteTypes };
  return { ...sums, pageStarts, pages, pageTimes, urls };
}

function createMissingColumnError(): Error {
  return new Error("packed channels lack a column");
}

export function toSiteTypeBits(types: Iterable<CompetitorType>): number {
  let bits = 0;
  for (const type of types) bits |= 1 << COMPETITOR_TYPES.indexOf(type);
  return bits;
}
