import { expect, test } from "vitest";
import { openFacts, packFacts } from "../../core/measuring/collect-facts.ts";
import { countFactsInParts, openCounting } from "../../core/measuring/count-facts.ts";
import type { Counts } from "../../core/measuring/metrics.ts";
import { promptsIn } from "../../core/measuring/prompt-clusters.ts";
import { sumFacts } from "../../core/measuring/sum-facts.ts";
import { randomFrom } from "../recompute/selections.ts";

const PROMPTS = 700;

/** Facts of a source: up to two answers to each of some questions, each with up to four of the brands; every tenth brand is cited. */
function factsOf(seed: number, { questions, lastBrand }: { questions: number; lastBrand: number }) {
  const random = randomFrom(seed);
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const answers = Array.from({ length: questions }, () => {
    const shown = upTo(2);
    return { answers: shown, notShown: upTo(1), informative: upTo(shown), way: null };
  });
  const rows = answers.flatMap(({ answers: runs }, keyword) =>
    Array.from({ length: runs }, (_, run) => {
      const brands = new Set(Array.from({ length: upTo(4) }, () => 1 + upTo(lastBrand - 1)));
      return [...brands].map((brand, at) => {
        return { keyword, run, brand, rank: at + 1 + upTo(1), brandRank: at + 1, mentions: 1 + upTo(2) };
      });
    }).flat(),
  );
  const cited = rows.filter(({ brand }) => brand % 10 === 0).map(({ keyword, brand }) => ({ keyword, brand }));
  return openFacts(packFacts(answers, rows, { cited }));
}

/** In the order of brands, rounded to nine decimals, without what only intervals take. */
function shape(counts: Counts, isShown: (brand: number) => boolean = () => true) {
  const { total, not_shown, informative, keywords, runs_least, runs_most, voice, brands } = counts;
  const rows = [...brands]
    .filter(([brand]) => isShown(brand))
    .toSorted(([a], [b]) => a - b)
    .map(([brand, own]) => {
      const { occurrences, total_mentions, nb_keywords, rank_sum, brand_rank_sum, top_3, weight_sum, cited } = own;
      const counted = { occurrences, total_mentions, nb_keywords, rank_sum, brand_rank_sum, top_3, cited };
      return { brand, ...counted, weight_sum: nine(weight_sum) };
    });
  return { total, not_shown, informative, keywords, runs_least, runs_most, voice: nine(voice), rows };
}

const nine = (value: number) => Math.round(value * 1e9) / 1e9;

// So many brands that few prompts are counted at once, and so few that many are.
for (const lastBrand of [30, 20_000]) {
  const questions = PROMPTS + 100;
  const facts = [1, 2, 3].map((seed) => factsOf(seed, { questions: seed === 3 ? PROMPTS : questions, lastBrand }));
  const families = Uint8Array.from({ length: lastBrand + 1 }, (_, brand) => (brand % 3 === 0 ? 0 : 1));
  // The last hundred are asked in two ways of the first.
  const prompts = Uint32Array.from({ length: questions }, (_, position) => position % PROMPTS);
  const asked = promptsIn(
    Array.from({ length: questions }, (_, position) => position).filter((position) => position % 5 !== 0),
    { prompts, cells: prompts },
  );
  const sums = sumFacts(facts, asked, families);

  test(`of ${lastBrand} brands, counts are the sums without what only intervals take`, () => {
    const counting = countFactsInParts(facts, asked, families).next();
    if (!counting.done) throw new Error("a few answers are counted at once");
    expect(shape(counting.value)).toEqual(shape(sums));
  });

  test(`of ${lastBrand} brands, some are counted alone, part after part, with the weights of all`, () => {
    const only = new Set([1, 10, 17, 30]);
    const counting = openCounting(facts, families, only);
    for (let from = 0; from < asked.length; from += 150) counting.add(asked.slice(from, from + 150));
    expect(shape(counting.take())).toEqual(shape(sums, (brand) => only.has(brand)));
    // Nothing stays of what was taken.
    counting.add(asked.slice(0, 40));
    const first = sumFacts(facts, asked.slice(0, 40), families);
    expect(shape(counting.take())).toEqual(shape(first, (brand) => only.has(brand)));
  });
}
