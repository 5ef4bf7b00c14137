import {
  noAnswers,
  openFacts,
  packFacts,
  waysOf,
  type CollectFacts,
  type FactRow,
  type KeywordAnswers,
} from "./collect-facts.ts";

/** A question of a brand analysis: its prompt, asked in one country as one persona. */
export interface PlacedQuestion {
  /** What facts are indexed by. */
  position: number;
  /** Which of the prompts. */
  prompt: number;
  /** Country and persona. */
  slot: string;
}

/**
 * Facts by question as facts by prompt, one for each country and persona. A prompt with all that was asked of it is what counts as one
 * in intervals and changes, and a prompt in one country, as one persona, from one source is a cell of a comparison.
 */
export function byPrompt(facts: CollectFacts, questions: readonly PlacedQuestion[]): Map<string, CollectFacts> {
  const ways = waysOf(facts);
  const slots = new Map<string, { answers: KeywordAnswers[]; rows: FactRow[] }>();
  for (const { position, prompt, slot } of questions) {
    const answers = facts.answers[position] ?? 0;
    const notShown = facts.notShown[position] ?? 0;
    if (answers + notShown === 0) continue;
    const into = slots.get(slot) ?? { answers: [], rows: [] };
    slots.set(slot, into);
    while (into.answers.length <= prompt) into.answers.push(noAnswers());
    const known = into.answers[prompt] ?? noAnswers();
    const way = ways[(facts.wayOf[position] ?? 0) - 1] ?? null;
    const isSame = known.answers === 0 || (way !== null && JSON.stringify(known.way) === JSON.stringify(way));
    addRows(into.rows, facts, { position, prompt, after: known.answers });
    into.answers[prompt] = {
      answers: known.answers + answers,
      notShown: known.notShown + notShown,
      informative: known.informative + (facts.informative[position] ?? 0),
      way: isSame ? way : null,
    };
  }
  return new Map([...slots].map(([slot, { answers, rows }]) => [slot, openFacts(packFacts(answers, rows))]));
}

function addRows(
  rows: FactRow[],
  { starts, runs, brands, ranks, brandRanks, mentions }: CollectFacts,
  { position, prompt, after }: { position: number; prompt: number; after: number },
): void {
  const end = starts[position + 1] ?? 0;
  for (let at = starts[position] ?? 0; at < end; at += 1) {
    rows.push({
      keyword: prompt,
      run: after + (runs[at] ?? 0),
      brand: brands[at] ?? 0,
      rank: ranks[at] ?? 0,
      brandRank: brandRanks[at] ?? 0,
      mentions: mentions[at] ?? 0,
    });
  }
}
