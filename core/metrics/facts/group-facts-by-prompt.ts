import type { CollectFacts } from "./collect-facts.ts";
import { toIntegerColumn } from "../packed-columns.ts";

/** A question of a brand analysis: a prompt in one country and persona. */
export interface QuestionInSlot {
  position: number;
  prompt: number;
  /** Key of the country and persona. */
  slot: string;
}

/** Usually one position per prompt. */
type SlotPrompts = (number[] | undefined)[];

/**
 * Facts by country and persona, indexed by prompt instead of question, without citations: intervals
 * and changes cluster by prompt.
 */
export function groupFactsByPrompt(
  facts: CollectFacts,
  questions: readonly QuestionInSlot[],
): Map<string, CollectFacts> {
  const slots = new Map<string, SlotPrompts>();
  for (const { position, prompt, slot } of questions) {
    if ((facts.answers[position] ?? 0) + (facts.notShown[position] ?? 0) === 0) continue;
    const prompts = slots.get(slot) ?? [];
    slots.set(slot, prompts);
    const known = prompts[prompt];
    if (known) known.push(position);
    else prompts[prompt] = [position];
  }
  return new Map([...slots].map(([slot, prompts]) => [slot, buildSlotFacts(facts, prompts)]));
}

function buildSlotFacts(facts: CollectFacts, prompts: SlotPrompts): CollectFacts {
  const { answers, notShown, informative, namesOwn, rowStarts, runIndexes, brands, ranks, brandRanks, mentions } =
    facts;
  const each = Array.from(prompts, (questions) => questions ?? []);
  const sumColumn = (column: CollectFacts["answers"]) =>
    toIntegerColumn(each.map((questions) => questions.reduce((sum, question) => sum + (column[question] ?? 0), 0)));
  const indexes: number[] = [];
  const runsOf: number[] = [];
  const startsOf = [0];
  for (const questions of each) {
    let before = 0;
    for (const question of questions) {
      const end = rowStarts[question + 1] ?? 0;
      for (let at = rowStarts[question] ?? 0; at < end; at += 1) {
        indexes.push(at);
        runsOf.push(before + (runIndexes[at] ?? 0));
      }
      before += answers[question] ?? 0;
    }
    startsOf.push(indexes.length);
  }
  const at = (column: CollectFacts["answers"]) => toIntegerColumn(indexes.map((place) => column[place] ?? 0));
  return {
    rowStarts: toIntegerColumn(startsOf),
    answers: sumColumn(answers),
    notShown: sumColumn(notShown),
    informative: sumColumn(informative),
    namesOwn: toIntegerColumn(each.map(([question = 0]) => namesOwn[question] ?? 0)),
    wayOf: toIntegerColumn(each.map((questions) => findCommonProvenance(facts, questions))),
    runIndexes: toIntegerColumn(runsOf),
    brands: at(brands),
    ranks: at(ranks),
    brandRanks: at(brandRanks),
    mentions: at(mentions),
    citedStarts: new Uint8Array(each.length + 1),
    citedRuns: new Uint8Array(),
    citedBrands: new Uint8Array(),
    lastBrand: facts.lastBrand,
    ways: facts.ways,
  };
}

/** 0 for several ways. */
function findCommonProvenance({ answers, wayOf: ways }: CollectFacts, questions: readonly number[]): number {
  const found = new Set(questions.filter((question) => (answers[question] ?? 0) > 0).map((one) => ways[one] ?? 0));
  const [way = 0, ...more] = found;
  return more.length > 0 ? 0 : way;
}
