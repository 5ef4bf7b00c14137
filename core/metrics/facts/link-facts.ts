import { createKeywordAnswers, decodeWays, packFacts, unpackFacts, type CollectFacts } from "./collect-facts.ts";
import { iterateAnswerLinks, listCountedRuns, type LinkFilter, type SourceLinks } from "./count-links.ts";

/**
 * Answers with links as facts, so that the functions for brands compare them: an item, by its
 * number, is present in the answers that link to it. Answers without links do not count.
 */
export function buildLinkFacts(
  source: SourceLinks,
  filter: LinkFilter,
  numberByName: ReadonlyMap<string, number>,
): CollectFacts {
  const { answers, wayOf } = source.facts;
  const ways = decodeWays(source.facts);
  const rows = [];
  const keywords = Array.from(answers, () => createKeywordAnswers());
  for (const [keyword, own] of keywords.entries()) {
    own.way = ways[(wayOf[keyword] ?? 0) - 1] ?? null;
    const at = { ...filter, question: keyword };
    for (const { items, hasAny } of iterateAnswerLinks(source, at, listCountedRuns(source.facts, at))) {
      if (!hasAny) continue;
      const runIndex = own.answers;
      own.answers += 1;
      const numbers = new Set(items.flatMap(({ name }) => numberByName.get(name) ?? []));
      for (const brand of numbers) rows.push({ keyword, runIndex, brand, rank: 1, brandRank: 1, mentions: 1 });
    }
  }
  return unpackFacts(packFacts(keywords, rows));
}
