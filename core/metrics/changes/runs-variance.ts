import type { CollectFacts } from "../facts/collect-facts.ts";

/** Σ over the keywords that were asked twice or more of the unbiased variance of a brand's presence between the answers, and how many there are. */
export function runsVariance(facts: CollectFacts, keywords: readonly number[], brand: number) {
  const sums = { variance: 0, cells: 0 };
  for (const keyword of keywords) {
    const n = facts.answers[keyword] ?? 0;
    if (n < 2) continue;
    const x = answersWith(facts, keyword, brand);
    sums.variance += (x * (n - x)) / (n * (n - 1));
    sums.cells += 1;
  }
  return sums;
}

/** Answers to a keyword that have a brand. */
function answersWith({ starts, brands }: CollectFacts, keyword: number, brand: number): number {
  let count = 0;
  const end = starts[keyword + 1] ?? 0;
  for (let at = starts[keyword] ?? 0; at < end; at += 1) if (brands[at] === brand) count += 1;
  return count;
}
