import { packColumns, unpackColumns, wholeNumbers, type Column } from "./packed-columns.ts";
import { COMPETITOR_TYPES, type CompetitorType } from "./sources.ts";

/** What one source brought for one keyword in one collect, seen from the analysis's own brand. */
export interface KeywordChannel {
  /** Answers or result pages, eligible or not. */
  answers: number;
  /** Those that are not blank: an AI overview that was not shown leaves a blank one. */
  shown: number;
  eligible: number;
  /** Eligible answers in which the own brand appears. */
  occurrences: number;
  rankSum: number;
  weightSum: number;
  /** The own brand's pages that ranked or were cited, each with how often, in the order of their first appearance. */
  urls: [url: string, times: number][];
  /** Kinds of site that ranked or were cited. */
  siteTypes: Set<CompetitorType>;
}

/** Channels of all keywords of one collect and source; a row of a column is a keyword's position. */
export interface KeywordChannels {
  answers: Column;
  shown: Column;
  eligible: Column;
  occurrences: Column;
  rankSums: Column;
  weightSums: Column;
  /** A bit per competitor type, in the order of COMPETITOR_TYPES. */
  siteTypes: Column;
  urls: Map<number, [url: string, times: number][]>;
}

export function noChannel(): KeywordChannel {
  return {
    answers: 0,
    shown: 0,
    eligible: 0,
    occurrences: 0,
    rankSum: 0,
    weightSum: 0,
    urls: [],
    siteTypes: new Set(),
  };
}

export function packChannels(channels: readonly KeywordChannel[]): Buffer {
  const columns = [
    wholeNumbers(channels.map((channel) => channel.answers)),
    wholeNumbers(channels.map((channel) => channel.shown)),
    wholeNumbers(channels.map((channel) => channel.eligible)),
    wholeNumbers(channels.map((channel) => channel.occurrences)),
    wholeNumbers(channels.map((channel) => channel.rankSum)),
    Float64Array.from(channels, (channel) => channel.weightSum),
    wholeNumbers(channels.map((channel) => siteTypeBits(channel.siteTypes))),
  ];
  const urls = [...channels.entries()].filter(([, channel]) => channel.urls.length > 0);
  return packColumns(columns, JSON.stringify(urls.map(([keyword, channel]) => [keyword, channel.urls])));
}

export function openChannels(packed: Uint8Array): KeywordChannels {
  const { columns, text } = unpackColumns(packed);
  const [answers, shown, eligible, occurrences, rankSums, weightSums, siteTypes] = columns;
  if (!answers || !shown || !eligible || !occurrences || !rankSums || !weightSums || !siteTypes) {
    throw new Error("packed channels lack a column");
  }
  // As packChannels wrote it.
  const urls = new Map(JSON.parse(new TextDecoder().decode(text)) as [number, [string, number][]][]);
  return { answers, shown, eligible, occurrences, rankSums, weightSums, siteTypes, urls };
}

/** A bit per competitor type, in the order of COMPETITOR_TYPES. */
export function siteTypeBits(types: Iterable<CompetitorType>): number {
  let bits = 0;
  for (const type of types) bits |= 1 << COMPETITOR_TYPES.indexOf(type);
  return bits;
}
