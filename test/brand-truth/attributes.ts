import { gradeRate, computeMeanInterval, sumMoments } from "../../core/statistics/interval.ts";
import { sumByPrompt, changeBetween, judgeChanges, roundToSixDigits, type ValuedAnswer } from "./figures.ts";
import { isNamed } from "./perception.ts";
import { ATTRIBUTES, type BrandTruth, type TrueAnswer } from "./scene.ts";
import { sortAnswers, isUnsolicited, selectParts, type Part, type Request } from "./selection.ts";

export function expectedAttributes(s: BrandTruth, request: Request) {
  const told = selectParts(s, request).flatMap((part) => ATTRIBUTES.map((attribute) => ({ part, attribute })));
  const changes = told.map(({ part: { brand, current, before }, attribute }) => {
    const value = (answer: TrueAnswer) => valueOf(answer, brand.id, attribute);
    const sides = [(before ?? []).filter(isUnsolicited), current.filter(isUnsolicited)] as const;
    return before && changeBetween(sides, { value, isShare: true, isAlone: false });
  });
  const rows = told.map(({ part, attribute }, at) => {
    const row = rowOf(s, part, attribute);
    const shown = row.score === null ? null : judgeChanges(changes, part.against, { scale: 10, shift: -5 })[at];
    return { part, row: { ...row, change: shown } };
  });
  const groups = [...new Set(told.map(({ part }) => groupOf(part)))];
  return groups.flatMap((group) =>
    ATTRIBUTES.flatMap((attribute) => {
      const beside = rows.filter(({ part, row }) => groupOf(part) === group && row.attribute === attribute);
      return beside
        .toSorted((a, b) => (b.row.score ?? -6) - (a.row.score ?? -6))
        .map(({ part, row }) => {
          const scores = beside.flatMap((one) => (one.part === part || one.row.score === null ? [] : one.row.score));
          const sum = scores.reduce((all, score) => all + score, 0);
          return {
            ...row,
            score_of_others: row.score === null || scores.length === 0 ? null : roundToSixDigits(sum / scores.length),
          };
        });
    }),
  );
}

function groupOf({ names: { brand: _brand, brand_id: _id, is_my_brand: _mine, ...names } }: Part): string {
  return JSON.stringify(names);
}

/** Score of a value from 0 to 1. */
const scoreOf = (value: number) => roundToSixDigits(10 * value - 5);

function scoresIn({ truth }: TrueAnswer, id: string, attribute: string): number[] {
  const said = truth.perception?.attributes ?? [];
  return said.filter((one) => one.brandId === id && one.attribute === attribute).map(({ score }) => score);
}

/** The mean of its clauses, to a tenth, from 0 to 1 for -5 to 5. */
function valueOf(answer: TrueAnswer, id: string, attribute: string): number | undefined {
  const scores = scoresIn(answer, id, attribute);
  if (scores.length === 0) return undefined;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return Math.round(100 * ((Math.round(10 * mean) / 10 + 5) / 10)) / 100;
}

function rowOf(s: BrandTruth, { brand: { id, number }, names, current }: Part, attribute: string) {
  const counted = sortAnswers(s, current.filter(isUnsolicited));
  const speaking = counted.flatMap((answer): ValuedAnswer[] => {
    const value = valueOf(answer, id, attribute);
    return value === undefined ? [] : [{ answer, value }];
  });
  const spans = counted.reduce((sum, answer) => sum + scoresIn(answer, id, attribute).length, 0);
  const prompts = [...sumByPrompt(speaking).values()];
  const mean = speaking.reduce((sum, { value }) => sum + value, 0) / speaking.length;
  const isTold = spans >= 10;
  const interval = isTold ? computeMeanInterval(sumMoments(prompts), { min: 0, max: 1, step: 0.1 }) : null;
  return {
    ...names,
    attribute,
    spans,
    answers: speaking.length,
    prompts: prompts.length,
    score: isTold ? scoreOf(mean) : null,
    reason: isTold ? null : "too_few_spans",
    ci_low: interval && scoreOf(interval.low),
    ci_high: interval && scoreOf(interval.high),
    grade: gradeRate(isTold ? mean : 0, interval, prompts.length),
    named: counted.filter((answer) => isNamed(answer, id)).length,
    unjudged: 0,
    quotations: extremesOf(counted, { id, number, attribute }),
  };
}

/** Best and worst clause, each in its first answer. */
function extremesOf(counted: readonly TrueAnswer[], of: { id: string; number: number; attribute: string }) {
  const { id, number, attribute } = of;
  const all = counted.flatMap((answer) => scoresIn(answer, id, attribute));
  if (all.length === 0) return [];
  return [...new Set([Math.max(...all), Math.min(...all)])].map((score) => {
    const answer = counted.find((one) => scoresIn(one, id, attribute).includes(score));
    const said = answer?.stored.perception?.attributes ?? [];
    const span = said.find((one) => one.brand === number && one.attribute === attribute && one.score === score);
    const { stored, source } = answer ?? {};
    const { start, end } = span ?? {};
    return { score, answer_id: stored?.id, source, start, end, text: stored?.text.slice(start, end) };
  });
}
