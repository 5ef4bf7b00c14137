import type { KeywordMetrics } from "../../core/measuring/keyword-metrics.ts";
import type { KeywordOutline } from "../../db/measuring/search-metrics.ts";
import { PREFIXES } from "./keyword-metrics.ts";

type RankedSource = keyof typeof PREFIXES;

const OUTLINE_SORTS = ["prompt", "type", "topic", "persona"] as const;
type OutlineSort = (typeof OUTLINE_SORTS)[number];

/** What keywords can be sorted by: what they are, their figures, and the mean rank in each source. */
export const KEYWORD_SORTS = [
  ...OUTLINE_SORTS,
  "presence",
  "score",
  // The keys of PREFIXES are the sources that have ranks.
  ...(Object.keys(PREFIXES) as RankedSource[]),
] as const;
export type KeywordSort = (typeof KEYWORD_SORTS)[number];

/** A keyword with what it is sorted by. */
export interface SortedKeyword {
  position: number;
  value: string | number | null | undefined;
}

/** Whether keywords are sorted by what they are, not by their figures. */
export function isOfOutline(by: KeywordSort): by is OutlineSort {
  return OUTLINE_SORTS.some((one) => one === by);
}

/** What of itself a keyword is sorted by; null where it has none. */
export function outlineValue(
  by: OutlineSort,
  { text, type, topicId, personaId }: KeywordOutline,
  labels: ReadonlyMap<string, string>,
): string | null {
  if (by === "prompt") return text;
  if (by === "type") return type;
  return labels.get((by === "topic" ? topicId : personaId) ?? "") ?? null;
}

/** Which of its figures a keyword is sorted by; null where it has none. */
export function figureValue(by: Exclude<KeywordSort, OutlineSort>, { now, score, channels }: KeywordMetrics) {
  if (by === "presence") return now.answers === 0 ? null : now.occurrences / now.answers;
  return by === "score" ? score : (channels.get(by)?.rank ?? null);
}

/** Keywords in an order; those without a value come last, whichever way, and equal ones as they were set up. */
export function inOrderOf(rows: readonly SortedKeyword[], direction: "asc" | "desc"): SortedKeyword[] {
  const way = direction === "asc" ? 1 : -1;
  const collator = new Intl.Collator("en");
  return rows.toSorted(({ value: a = null }, { value: b = null }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "string" && typeof b === "string") return way * collator.compare(a, b);
    return way * (Number(a) - Number(b));
  });
}
