import type { KeywordChannels } from "./keyword-channels.ts";
import { computeAverageRank, computeVisibilityScore } from "./metrics.ts";
import type { Source } from "../sources/sources.ts";

/** One per collect of the selection, oldest first. */
export type ChannelsBySource = ReadonlyMap<Source, readonly KeywordChannels[]>;

/** Metrics of the main brand for one keyword and source. */
export interface ChannelMetrics {
  answers: number;
  /** Null without an answer with the brand. */
  rank: number | null;
  previousRank: number | null;
  previousAnswerCount: number;
  /** The page ranked or cited most often, ties by first appearance. */
  url: string | null;
}

export interface KeywordMetrics {
  /** 0 to 100; null without an answer. */
  score: number | null;
  /** Counts over the summed sources. */
  now: KeywordCounts;
  before: KeywordCounts;
  channels: Map<Source, ChannelMetrics>;
}

export interface KeywordCounts {
  answers: number;
  occurrences: number;
}

/** Takes all sources of `current` or `previous`; the score only those in `summed`. */
export function computeKeywordMetrics(
  keyword: number,
  {
    current,
    previous,
    summedSources,
  }: { current: ChannelsBySource; previous: ChannelsBySource; summedSources: ReadonlySet<Source> },
): KeywordMetrics {
  const channels = new Map<Source, ChannelMetrics>();
  const now = createCounts();
  const before = createCounts();
  let weights = 0;
  for (const source of new Set([...current.keys(), ...previous.keys()])) {
    const [own, earlier] = [current.get(source) ?? [], previous.get(source) ?? []];
    if (summedSources.has(source)) {
      addCounts(now, own, keyword);
      addCounts(before, earlier, keyword);
      weights += sumChannels(own, "weightSums", keyword);
    }
    channels.set(source, {
      answers: sumChannels(own, "answers", keyword),
      rank: averageChannelRanks(own, keyword),
      previousRank: averageChannelRanks(earlier, keyword),
      previousAnswerCount: sumChannels(earlier, "answers", keyword),
      url: findMostFrequentUrl(own, keyword),
    });
  }
  return { score: computeVisibilityScore(weights, now.answers), now, before, channels };
}

function createCounts(): KeywordCounts {
  return { answers: 0, occurrences: 0 };
}

function addCounts(counts: KeywordCounts, channels: readonly KeywordChannels[], keyword: number): void {
  counts.answers += sumChannels(channels, "answers", keyword);
  counts.occurrences += sumChannels(channels, "occurrences", keyword);
}

/** True if a site of a type in `bits` ranked or was cited. */
export function hasSiteType(keyword: number, channels: ChannelsBySource, bits: number): boolean {
  for (const own of channels.values()) {
    if (own.some((one) => ((one.siteTypes[keyword] ?? 0) & bits) !== 0)) return true;
  }
  return false;
}

type SummedColumn = "answers" | "occurrences" | "rankSums" | "weightSums";

function sumChannels(channels: readonly KeywordChannels[], column: SummedColumn, keyword: number): number {
  let total = 0;
  for (const one of channels) total += one[column][keyword] ?? 0;
  return total;
}

function averageChannelRanks(channels: readonly KeywordChannels[], keyword: number): number | null {
  return computeAverageRank(sumChannels(channels, "rankSums", keyword), sumChannels(channels, "occurrences", keyword));
}

function findMostFrequentUrl(channels: readonly KeywordChannels[], keyword: number): string | null {
  const times = new Map<string, number>();
  for (const { pageStarts, pages, pageTimes, urls } of channels) {
    for (let at = pageStarts[keyword] ?? 0; at < (pageStarts[keyword + 1] ?? 0); at += 1) {
      const url = urls[pages[at] ?? 0] ?? "";
      times.set(url, (times.get(url) ?? 0) + (pageTimes[at] ?? 0));
    }
  }
  let best: string | null = null;
  for (const [url, count] of times) if (best === null || count > (times.get(best) ?? 0)) best = url;
  return best;
}
