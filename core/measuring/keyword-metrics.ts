import type { KeywordChannels } from "./keyword-channels.ts";
import { averageRank, visibilityScore } from "./metrics.ts";
import type { Source } from "../sources.ts";

/** Channels of one source, one per collect of the selection, oldest first. */
export type ChannelsBySource = ReadonlyMap<Source, readonly KeywordChannels[]>;

/** What one source says of the main brand for one keyword. */
export interface ChannelMetrics {
  /** Answers that were shown. */
  answers: number;
  /** Mean rank where present; null if the brand never is. */
  rank: number | null;
  previousRank: number | null;
  /** The brand's page that ranked or was cited most often, the first of those; null without one. */
  url: string | null;
}

export interface KeywordMetrics {
  /** Visibility score of the main brand on the keyword over the sources that are summed together, 0 to 100; null without an answer. */
  score: number | null;
  channels: Map<Source, ChannelMetrics>;
}

/** The figures of the keyword at one position, over every source that `current` or `previous` has; the score over `summed`. */
export function keywordMetrics(
  keyword: number,
  { current, previous, summed }: { current: ChannelsBySource; previous: ChannelsBySource; summed: ReadonlySet<Source> },
): KeywordMetrics {
  const channels = new Map<Source, ChannelMetrics>();
  let answers = 0;
  let weights = 0;
  for (const source of new Set([...current.keys(), ...previous.keys()])) {
    const now = current.get(source) ?? [];
    if (summed.has(source)) {
      answers += sum(now, "answers", keyword);
      weights += sum(now, "weightSums", keyword);
    }
    channels.set(source, {
      answers: sum(now, "answers", keyword),
      rank: rankOf(now, keyword),
      previousRank: rankOf(previous.get(source) ?? [], keyword),
      url: urlOf(now, keyword),
    });
  }
  return { score: visibilityScore(weights, answers), channels };
}

/** True if a site of one of the kinds in `bits` ranked or was cited for the keyword. */
export function hasSiteType(keyword: number, channels: ChannelsBySource, bits: number): boolean {
  for (const own of channels.values()) {
    if (own.some((one) => ((one.siteTypes[keyword] ?? 0) & bits) !== 0)) return true;
  }
  return false;
}

type SummedColumn = "answers" | "occurrences" | "rankSums" | "weightSums";

function sum(channels: readonly KeywordChannels[], column: SummedColumn, keyword: number): number {
  let total = 0;
  for (const one of channels) total += one[column][keyword] ?? 0;
  return total;
}

function rankOf(channels: readonly KeywordChannels[], keyword: number): number | null {
  return averageRank(sum(channels, "rankSums", keyword), sum(channels, "occurrences", keyword));
}

function urlOf(channels: readonly KeywordChannels[], keyword: number): string | null {
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
