import type { CollectFacts } from "../facts/collect-facts.ts";

/** Σ of the unbiased variance of presence between answers, for keywords with at least two. */
export function sumRunsVariance(facts: CollectFacts, keywords: readonly number[], brand: number) {
  const sums = { variance: 0, cells: 0 };
  for (const keyword of keywords) {
    const n = facts.answers[keyword] ?? 0;
    if (n < 2) continue;
    const x = countAnswersWith(facts, keyword, brand);
    sums.variance += (x * (n - x)) / (n * (n - 1));
    sums.cells += 1;
  }
  return sums;
}

function countAnswersWith({ rowStarts, brands }: CollectFacts, keyword: number, brand: number): number {
  let count = 0;
  const end = rowStarts[keyword + 1] ?? 0;
  for (let at = rowStarts[keyword] ?? 0; at < end; at += 1) if (brands[at] === brand) count += 1;
  return count;
}
