import type { QuestionInSlot } from "./group-facts-by-prompt.ts";
import type { CollectPerception } from "./collect-perception.ts";
import { STANCES } from "../../reading/capture.ts";

// Counts of opinions on brands in one collect and source, by country and persona.

export interface OpinionTally {
  /** Answers by stance, in the order of STANCES. */
  stances: number[];
  /**
   * Answers with judged clauses, and of these: with a pro, with a con, with either, with more pros,
   * with more cons.
   */
  judged: number;
  withPros: number;
  withCons: number;
  withEither: number;
  morePros: number;
  moreCons: number;
  /** Prompts with an answer that names the brand, with a judged one, and with a pro or con. */
  prompts: Set<number>;
  judgedPrompts: Set<number>;
  eitherPrompts: Set<number>;
}

/** Answers with one pro or con of a brand. */
export interface PointTally {
  /** Index in the groups of the collect and source. */
  group: number;
  /** Numbers of answers to counted prompts, and to prompts that ask for pros and cons. */
  answers: number;
  asked: number;
  /** Question of the first answer with the point, from a counted prompt if possible. */
  question: number;
  run: number;
}

/** Tallies by brand number, then country and persona, then group. */
export type PointTallies = Map<number, Map<string, Map<number, PointTally>>>;

/** Tallies opinions on a brand in answers to some questions. */
export function tallyOpinions(
  all: Iterable<CollectPerception>,
  brand: number,
  questions: readonly QuestionInSlot[],
): OpinionTally {
  const tally: OpinionTally = {
    stances: STANCES.map(() => 0),
    judged: 0,
    withPros: 0,
    withCons: 0,
    withEither: 0,
    morePros: 0,
    moreCons: 0,
    prompts: new Set(),
    judgedPrompts: new Set(),
    eitherPrompts: new Set(),
  };
  for (const { opinions } of all) {
    const { rowStarts, brands, stances, pros, cons, judged } = opinions;
    for (const { position, prompt } of questions) {
      for (let at = rowStarts[position] ?? 0; at < (rowStarts[position + 1] ?? 0); at += 1) {
        if (brands[at] !== brand) continue;
        const stance = stances[at] ?? 0;
        tally.stances[stance] = (tally.stances[stance] ?? 0) + 1;
        tally.prompts.add(prompt);
        if (judged[at] === 1) addJudgedAnswer(tally, { prompt, pros: pros[at] ?? 0, cons: cons[at] ?? 0 });
      }
    }
  }
  return tally;
}

function addJudgedAnswer(tally: OpinionTally, { prompt, pros, cons }: { prompt: number; pros: number; cons: number }) {
  tally.judged += 1;
  tally.judgedPrompts.add(prompt);
  if (pros > 0) tally.withPros += 1;
  if (cons > 0) tally.withCons += 1;
  if (pros > cons) tally.morePros += 1;
  if (cons > pros) tally.moreCons += 1;
  if (pros + cons === 0) return;
  tally.withEither += 1;
  tally.eitherPrompts.add(prompt);
}

/** Tallies pros and cons in answers to counted questions and to those that ask for them. */
export function tallyPoints(
  { points: { rowStarts, runs, groups }, groups: known }: CollectPerception,
  { counted, asking }: { counted: readonly QuestionInSlot[]; asking: readonly QuestionInSlot[] },
): PointTallies {
  const tallies: PointTallies = new Map();
  const add = ({ position, slot }: QuestionInSlot, count: "answers" | "asked") => {
    for (let at = rowStarts[position] ?? 0; at < (rowStarts[position + 1] ?? 0); at += 1) {
      const group = groups[at] ?? 0;
      const brand = known[group]?.brand ?? 0;
      const bySlot = tallies.get(brand) ?? new Map<string, Map<number, PointTally>>();
      tallies.set(brand, bySlot);
      const own = bySlot.get(slot) ?? new Map<number, PointTally>();
      bySlot.set(slot, own);
      const tally = own.get(group) ?? { group, answers: 0, asked: 0, question: position, run: runs[at] ?? 0 };
      own.set(group, tally);
      tally[count] += 1;
    }
  };
  for (const question of counted) add(question, "answers");
  for (const question of asking) add(question, "asked");
  return tallies;
}
