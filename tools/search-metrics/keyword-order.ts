import type { KeywordMetrics } from "../../core/measuring/keyword-metrics.ts";
import type { KeywordOutline } from "../../db/measuring/search-metrics.ts";
import { PREFIXES } from "./keyword-metrics.ts";

type RankedSource = keyof typeof PREFIXES;

const OWN_SORTS = ["prompt", "type", "topic", "persona", "presence", "score"] as const;

/** What keywords can be sorted by: what they are, their figures, and the mean rank in each source. */
export const KEYWORD_SORTS = [
  ...OWN_SORTS,
  // The keys of PREFIXES are the sources that have ranks.
  ...(Object.keys(PREFIXES) as RankedSource[]),
] as const;
type KeywordSort = (typeof KEYWORD_SORTS)[number];

/** A keyword with what it is sorted by. */
export interface SortedKeyword {
  position: number;
  value: string | number | null | undefined;
}

/** What a keyword is sorted by; null where it has none. */
export function sortValue(
  by: KeywordSort,
  { position, text, type, topicId, personaId }: KeywordOutline,
  of: { labels: ReadonlyMap<string, string>; figuresOf: (position: number) => KeywordMetrics },
): string | number | null {
  const { labels, figuresOf } = of;
  switch (by) {
    case "prompt":
      return text;
    case "type":
      return type;
    case "topic":
      return labels.get(topicId ?? "") ?? null;
    case "persona":
      return labels.get(personaId ?? "") ?? null;
    case "presence": {
      const { answers, occurrences } = figuresOf(position).now;
      return answers === 0 ? null : occurrences / answers;
    }
    case "score":
      return figuresOf(position).score;
    default:
      return figuresOf(position).channels.get(by)?.rank ?? null;
  }
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
