import { judgeDifference } from "../../core/statistics/change.ts";
import { computePairDifference } from "../../core/statistics/difference.ts";
import { isFieldMoving } from "../../core/statistics/field.ts";
import { gradeRate, sumMoments, computeRateInterval } from "../../core/statistics/interval.ts";
import { MAX_FIRST_SIGN_P, judgeChange } from "../../core/statistics/verdict.ts";
import type { AskedQuestion, TrueAnswer } from "./scene.ts";

// Shares, intervals and changes by docs/measurement.md, section 6, computed from single answers.

export const roundToSixDigits = (value: number) => Math.round(value * 1e6) / 1e6;
export const ratio = (count: number, all: number) => (all === 0 ? null : roundToSixDigits(count / all));

/** An answer that counts, for a value between 0 and 1. */
export interface ValuedAnswer {
  answer: TrueAnswer;
  value: number;
}

/** A prompt counts once over countries and personas. */
export function promptOf({ asked, text }: AskedQuestion): string {
  return JSON.stringify([asked.kind, asked.brandId, asked.lookAlike, text]);
}

/** Sums by prompt, in the order of the answers. */
export function sumByPrompt(valued: readonly ValuedAnswer[]): Map<string, { x: number; n: number }> {
  const sums = new Map<string, { x: number; n: number }>();
  for (const { answer, value } of valued) {
    const prompt = promptOf(answer.question);
    const own = sums.get(prompt) ?? { x: 0, n: 0 };
    sums.set(prompt, { x: own.x + value, n: own.n + 1 });
  }
  return sums;
}

/** Share with interval and grade over `sources` sources. */
export function createShare(valued: readonly ValuedAnswer[], sources: number) {
  const prompts = [...sumByPrompt(valued).values()];
  const moments = sumMoments(prompts);
  const { n, x } = moments;
  const asking = Math.max(1, sources);
  const runs = prompts.length === 0 ? 1 : Math.max(1, n / prompts.length / asking);
  const interval = n === 0 ? null : computeRateInterval(moments, { runs, sourceCount: asking });
  return { n, x, prompts: prompts.length, interval, grade: gradeRate(n === 0 ? 0 : x / n, interval, prompts.length) };
}

/** The columns of a share's interval and grade. */
export function uncertainty(figure: string, valued: readonly ValuedAnswer[], sources: number) {
  const { interval, grade } = createShare(valued, sources);
  return {
    [`${figure}_ci_low`]: interval && roundToSixDigits(interval.low),
    [`${figure}_ci_high`]: interval && roundToSixDigits(interval.high),
    [`${figure}_grade`]: grade,
  };
}

export function sumOf(valued: readonly ValuedAnswer[]): number {
  return valued.reduce((sum, { value }) => sum + value, 0);
}

/** A change before joint judgement. */
export interface UnjudgedChange {
  delta: number;
  ci_low: number | null;
  ci_high: number | null;
  p: number | null;
  before: number;
  after: number;
  cells: number;
  oneSideOnly: number;
  withField: boolean;
  isAlone: boolean;
  /** Under half of the cells of a side are common. */
  isOtherBasket: boolean;
}

type Value = (answer: TrueAnswer) => number | undefined;

/**
 * Change of a share between two collects, over shown answers of cells (prompt, source, country,
 * persona) that both completed. Presence counts each answer; for a share of some answers, each side
 * has its own sums.
 */
export function changeBetween(
  [before, after]: readonly [readonly TrueAnswer[], readonly TrueAnswer[]],
  of: { value: Value; isShare: boolean; isAlone: boolean; rivals?: readonly Value[] },
): UnjudgedChange {
  const [then, now] = [cellsOf(before), cellsOf(after)];
  const common = new Set([...now.keys()].filter((cell) => then.has(cell)));
  const sides = [then, now].map((cells) => [...cells].flatMap(([cell, own]) => (common.has(cell) ? own : [])));
  const prompts = [...new Set(sides.flat().map(({ question }) => promptOf(question)))];
  const sumsOf = (value: Value) => {
    const [x, y] = sides.map((side) =>
      sumByPrompt(
        side.flatMap((answer) => {
          const own = value(answer);
          return own === undefined ? [] : [{ answer, value: own }];
        }),
      ),
    );
    const none = { x: 0, n: 0 };
    return prompts.map((prompt) => ({ before: x?.get(prompt) ?? none, after: y?.get(prompt) ?? none }));
  };
  const sums = sumsOf(of.value);
  const change = judgeDifference(of.isShare ? shareDifference(sums) : computePairDifference(pairMoments(sums)));
  const [x, n] = [total(sums, "before"), total(sums, "after")];
  const rivals = (of.rivals ?? []).map((rival) => {
    const d = sumsOf(rival).map((one) => one.after.x - one.before.x);
    return { prompts: d.map((_, at) => at), d };
  });
  return {
    ...change,
    before: x.x / x.n,
    after: n.x / n.n,
    cells: common.size,
    oneSideOnly: then.size + now.size - 2 * common.size,
    isOtherBasket: 2 * common.size < Math.max(then.size, now.size),
    withField: change.p !== null && change.p <= MAX_FIRST_SIGN_P && isFieldMoving(prompts.length, rivals),
    isAlone: of.isAlone,
  };
}

function cellsOf(answers: readonly TrueAnswer[]): Map<string, TrueAnswer[]> {
  return groupByKey(answers, ({ question, source }) =>
    JSON.stringify([promptOf(question), source, question.country, question.personaId]),
  );
}

export function groupByKey<One>(all: readonly One[], keyOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

interface PromptSums {
  before: { x: number; n: number };
  after: { x: number; n: number };
}

function total(sums: readonly PromptSums[], side: "before" | "after") {
  return sums.reduce((all, one) => ({ x: all.x + one[side].x, n: all.n + one[side].n }), { x: 0, n: 0 });
}

/** Both sides have equally many answers per prompt. */
function pairMoments(sums: readonly PromptSums[]) {
  const moments = { promptCount: sums.length, n: 0, d: 0, dd: 0, dn: 0, nn: 0, differing: 0 };
  for (const { before, after } of sums) {
    const [d, n] = [after.x - before.x, after.n];
    moments.n += n;
    moments.d += d;
    moments.dd += d * d;
    moments.dn += d * n;
    moments.nn += n * n;
    moments.differing += Number(d !== 0);
  }
  return moments;
}

/**
 * V = P/(P − 1) · Σ z_i², with z_i = (x_i − r·n_i)/n of the side after less that of the side
 * before.
 */
function shareDifference(sums: readonly PromptSums[]) {
  const [before, after] = [total(sums, "before"), total(sums, "after")];
  if (before.n === 0 || after.n === 0) return { delta: 0, variance: 0, degreesOfFreedom: 0, isJudgeable: false };
  const part = (side: "before" | "after", one: PromptSums) => {
    const all = side === "before" ? before : after;
    return (one[side].x - (all.x / all.n) * one[side].n) / all.n;
  };
  const effective = (side: "before" | "after") => {
    const squares = sums.reduce((sum, one) => sum + one[side].n ** 2, 0);
    return Math.floor(total(sums, side).n ** 2 / squares + 1e-9);
  };
  const prompts = Math.min(effective("before"), effective("after"));
  const squares = sums.reduce((sum, one) => sum + (part("after", one) - part("before", one)) ** 2, 0);
  const differing = sums.filter((one) => Math.abs(one.before.x * one.after.n - one.after.x * one.before.n) > 1e-9);
  const spread = squares > 1e-12 ? squares : 1 / (before.n * after.n);
  return {
    delta: after.x / after.n - before.x / before.n,
    variance: (prompts / (prompts - 1)) * spread,
    degreesOfFreedom: prompts - 1,
    isJudgeable: prompts >= 5 && differing.length >= 6,
  };
}

/**
 * Changes as displayed: the own brand's total is judged alone, all others together. `scale` and
 * `shift` convert the share.
 */
export function judgeChanges(
  changes: readonly (UnjudgedChange | null)[],
  against: readonly number[],
  { scale = 1, shift = 0 } = {},
) {
  const together = changes.flatMap((one) => (one && !one.isAlone && one.p !== null && !one.isOtherBasket ? one.p : []));
  return changes.map((one) => {
    if (one === null) return null;
    const p = one.p === null || one.isAlone ? one.p : adjusted(one.p, together);
    const obstacle = one.isOtherBasket ? ("basket_changed" as const) : null;
    const verdict = judgeChange({ delta: one.delta, p }, { obstacle, withField: one.withField });
    const isTold = p !== null && !obstacle;
    const shown = (value: number | null, moved = 0) =>
      isTold && value !== null ? roundToSixDigits(value * scale + moved) : null;
    return {
      before: shown(one.before, shift),
      after: shown(one.after, shift),
      delta: shown(one.delta),
      ci_low: shown(one.ci_low),
      ci_high: shown(one.ci_high),
      p: isTold ? roundToSixDigits(p) : null,
      verdict,
      cells: one.cells,
      left_out: { one_side_only: one.oneSideOnly, other_method: 0, other_model: 0 },
      compared_with: against,
      baseline:
        against.length === 1
          ? `run ${against.join()}`
          : `mean of runs ${against.join(", ").replace(/, (?=\d+$)/, " and ")}`,
    };
  });
}

/** The least of m·p_k/k over all p_k that are as large (Benjamini and Hochberg). */
function adjusted(p: number, all: readonly number[]): number {
  const sorted = all.toSorted((a, b) => a - b);
  const raised = sorted.flatMap((one, at) => (one >= p ? (one * sorted.length) / (at + 1) : []));
  return Math.min(1, ...raised);
}
