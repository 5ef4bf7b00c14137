import type { PlacedQuestion } from "./by-prompt.ts";
import type { CollectPerception } from "./collect-perception.ts";
import { STANCES } from "../reading/capture.ts";

// Counts of what the answers of one collect and source say of each brand, by country and persona.

/** Answers that name a brand. */
export interface OpinionTally {
  /** How many have each stance, in the order of STANCES. */
  stances: number[];
  /** Those whose clauses were judged, and of them those with a pro, with a con, with either, with more of the one, and of the other. */
  judged: number;
  withPros: number;
  withCons: number;
  withEither: number;
  morePros: number;
  moreCons: number;
  /** Prompts that have such an answer, one that was judged, and one with a pro or a con. */
  prompts: Set<number>;
  judgedPrompts: Set<number>;
  eitherPrompts: Set<number>;
}

/** Answers with a pro or con of a brand. */
export interface PointTally {
  /** A place in the groups of the collect and source. */
  group: number;
  /** Answers to prompts that count, and to prompts that ask for pros and cons. */
  answers: number;
  asked: number;
  /** The first of them, of those that count where there is one. */
  question: number;
  run: number;
}

/** By the brand's number, and then by country and persona. */
export type ByBrand<Tally> = Map<number, Map<string, Tally>>;

export function noOpinions(): OpinionTally {
  return {
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
}

/** Tallies the answers to some questions that name brands. */
export function tallyOpinions(
  { opinions: { starts, brands, stances, pros, cons, judged } }: CollectPerception,
  questions: readonly PlacedQuestion[],
): ByBrand<OpinionTally> {
  const tallies: ByBrand<OpinionTally> = new Map();
  for (const { position, prompt, slot } of questions) {
    for (let at = starts[position] ?? 0; at < (starts[position + 1] ?? 0); at += 1) {
      const tally = tallyIn(tallies, { brand: brands[at] ?? 0, slot }, noOpinions);
      const stance = stances[at] ?? 0;
      tally.stances[stance] = (tally.stances[stance] ?? 0) + 1;
      tally.prompts.add(prompt);
      if (judged[at] === 1) addJudged(tally, { prompt, pros: pros[at] ?? 0, cons: cons[at] ?? 0 });
    }
  }
  return tallies;
}

function addJudged(tally: OpinionTally, { prompt, pros, cons }: { prompt: number; pros: number; cons: number }): void {
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

/** Adds what another collect, source, country or persona brought. */
export function addOpinions(sum: OpinionTally, part: OpinionTally): void {
  for (const [stance, answers] of part.stances.entries()) sum.stances[stance] = (sum.stances[stance] ?? 0) + answers;
  for (const key of ["judged", "withPros", "withCons", "withEither", "morePros", "moreCons"] as const) {
    sum[key] += part[key];
  }
  for (const key of ["prompts", "judgedPrompts", "eitherPrompts"] as const) {
    for (const prompt of part[key]) sum[key].add(prompt);
  }
}

/** Tallies pros and cons in answers to questions that count, and to those that ask for them. */
export function tallyPoints(
  { points: { starts, runs, groups }, groups: known }: CollectPerception,
  { counted, asking }: { counted: readonly PlacedQuestion[]; asking: readonly PlacedQuestion[] },
): ByBrand<Map<number, PointTally>> {
  const tallies: ByBrand<Map<number, PointTally>> = new Map();
  const add = ({ position, slot }: PlacedQuestion, count: "answers" | "asked") => {
    for (let at = starts[position] ?? 0; at < (starts[position + 1] ?? 0); at += 1) {
      const group = groups[at] ?? 0;
      const own = tallyIn(tallies, { brand: known[group]?.brand ?? 0, slot }, () => new Map<number, PointTally>());
      const tally = own.get(group) ?? { group, answers: 0, asked: 0, question: position, run: runs[at] ?? 0 };
      own.set(group, tally);
      tally[count] += 1;
    }
  };
  for (const question of counted) add(question, "answers");
  for (const question of asking) add(question, "asked");
  return tallies;
}

function tallyIn<Tally>(
  tallies: ByBrand<Tally>,
  { brand, slot }: { brand: number; slot: string },
  begin: () => Tally,
): Tally {
  const own = tallies.get(brand) ?? new Map<string, Tally>();
  tallies.set(brand, own);
  const tally = own.get(slot) ?? begin();
  own.set(slot, tally);
  return tally;
}
