import { kappaOf } from "../perception/agreement.ts";
import { countMatched, doOverlap } from "../perception/scores.ts";
import { toneOf } from "../perception/tasks.ts";
import { toStretch } from "./evaluate.ts";
import type { LabelledAnswer, LabelledPair, TextRange, BrandLabel } from "./label-lines.ts";

/**
 * How far the two annotators agree on brands that are present, before anything was decided. They
 * agree on all that are.
 */
export interface PairAgreement {
  what: string;
  figure: "kappa" | "F1";
  value: number;
  /** Share of equal labels, for measures with one label per pair. */
  equal?: number;
}

export function pairAgreements(answers: readonly LabelledAnswer[]): PairAgreement[] {
  const pairs = answers.flatMap((answer) => answer.pairs).filter(({ present }) => present);
  const of = (name: (said: Partial<BrandLabel>) => string): [string, string][] =>
    pairs.map((pair) => [name(saidBy(pair, "first")), name(saidBy(pair, "second"))]);
  return [
    ofLabels(
      "rank",
      of(({ rank }) => String(rank)),
    ),
    ofLabels(
      "rank: 1, to 3, to 10, beyond",
      of(({ rank = 0 }) => String([1, 3, 10].findIndex((most) => rank <= most))),
    ),
    ofLabels(
      "stance, five labels",
      of(({ stance }) => String(stance)),
    ),
    ofLabels(
      "stance, three classes",
      of(({ stance = "mentioned" }) => toneOf(stance)),
    ),
    { what: "pros, relaxed", figure: "F1", value: spansF1(pairs, "pros") },
    { what: "cons, relaxed", figure: "F1", value: spansF1(pairs, "cons") },
  ];
}

function saidBy(pair: LabelledPair, who: "first" | "second"): Partial<BrandLabel> {
  return { ...pair, ...pair[who] };
}

function ofLabels(what: string, pairs: readonly [string, string][]): PairAgreement {
  const equal = pairs.filter(([one, other]) => one === other).length / pairs.length;
  return { what, figure: "kappa", value: kappaOf(pairs), equal };
}

function spansF1(pairs: readonly LabelledPair[], kind: "pros" | "cons"): number {
  const sums = { marked: 0, right: 0 };
  for (const pair of pairs) {
    const [one, other] = (["first", "second"] as const).map((who) => placesOf(saidBy(pair, who)[kind]));
    sums.marked += (one?.length ?? 0) + (other?.length ?? 0);
    sums.right += countMatched(one ?? [], other ?? [], doOverlap);
  }
  return (2 * sums.right) / sums.marked;
}

function placesOf(places: readonly TextRange[] = []) {
  return places.map(toStretch);
}
