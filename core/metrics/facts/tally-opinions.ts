import type { QuestionInSlot } from "./group-facts-by-prompt.ts";
import type { CollectPerception } from "./collect-perception.ts";
import { STANCES } from "../../reading/capture.ts";

export interface OpinionTally {
  /** By index in STANCES. */
  stances: number[];
  /** Answers with judged clauses, and of these: with a pro, a con, either, more pros, more cons. */
  judged: number;
  proAnswerCount: number;
  conAnswerCount: number;
  withEither: number;
  moreProsCount: number;
  moreConsCount: number;
  /** Prompts with an answer that names the brand, with a judged one, and with a pro or con. */
  prompts: Set<number>;
  judgedPrompts: Set<number>;
  eitherPrompts: Set<number>;
}

export interface PointTally {
  /** Index in the groups of the collect and source. */
  groupIndex: number;
  /** Answers to counted prompts, and to prompts that ask for pros and cons. */
  answers: number;
  askingAnswerCount: number;
  /** The first answer with the point, of a counted prompt if possible. */
  question: number;
  runIndex: number;
}

/** By brand number, then country and persona, then group. */
export type PointTallies = Map<number, Map<string, Map<number, PointTally>>>;

export function tallyOpinions(
  all: Iterable<CollectPerception>,
  brand: number,
  questions: readonly QuestionInSlot[],
): OpinionTally {
  const tally: OpinionTally = {
    stances: STANCES.map(() => 0),
    judged: 0,
    proAnswerCount: 0,
    conAnswerCount: 0,
    withEither: 0,
    moreProsCount: 0,
    moreConsCount: 0,
    prompts: new Set(),
    judgedPrompts: new Set(),
    eitherPrompts: new Set(),
  };
  for (const { opinions } of all) {
    const { rowStarts, brands, stanceIndexes, proCounts, conCounts, judgedFlags } = opinions;
    for (const { position, prompt: promptIndex } of questions) {
      for (let at = rowStarts[position] ?? 0; at < (rowStarts[position + 1] ?? 0); at += 1) {
        if (brands[at] !== brand) continue;
        const stance = stanceIndexes[at] ?? 0;
        tally.stances[stance] = (tally.stances[stance] ?? 0) + 1;
        tally.prompts.add(promptIndex);
        if (judgedFlags[at] === 1)
          addJudgedAnswer(tally, { promptIndex, proCount: proCounts[at] ?? 0, conCount: conCounts[at] ?? 0 });
      }
    }
  }
  return tally;
}

function addJudgedAnswer(
  tally: OpinionTally,
  { promptIndex, proCount, conCount }: { promptIndex: number; proCount: number; conCount: number },
) {
  tally.judged += 1;
  tally.judgedPrompts.add(promptIndex);
  if (proCount > 0) tally.proAnswerCount += 1;
  if (conCount > 0) tally.conAnswerCount += 1;
  if (proCount > conCount) tally.moreProsCount += 1;
  if (conCount > proCount) tally.moreConsCount += 1;
  if (proCount + conCount === 0) return;
  tally.withEither += 1;
  tally.eitherPrompts.add(promptIndex);
}

export function tallyPoints(
  { points: { rowStarts, runIndexes, groupIndexes }, groups: known }: CollectPerception,
  { countedQuestions, asking }: { countedQuestions: readonly QuestionInSlot[]; asking: readonly QuestionInSlot[] },
): PointTallies {
  const tallies: PointTallies = new Map();
  const add = ({ position, slot }: QuestionInSlot, count: "answers" | "askingAnswerCount") => {
    for (let at = rowStarts[position] ?? 0; at < (rowStarts[position + 1] ?? 0); at += 1) {
      const groupIndex = groupIndexes[at] ?? 0;
      const brand = known[groupIndex]?.brand ?? 0;
      const bySlot = tallies.get(brand) ?? new Map<string, Map<number, PointTally>>();
      tallies.set(brand, bySlot);
      const own = bySlot.get(slot) ?? new Map<number, PointTally>();
      bySlot.set(slot, own);
      const tally = own.get(groupIndex) ?? {
        groupIndex,
        answers: 0,
        askingAnswerCount: 0,
        question: position,
        runIndex: runIndexes[at] ?? 0,
      };
      own.set(groupIndex, tally);
      tally[count] += 1;
    }
  };
  for (const question of countedQuestions) add(question, "answers");
  for (const question of asking) add(question, "askingAnswerCount");
  return tallies;
}
