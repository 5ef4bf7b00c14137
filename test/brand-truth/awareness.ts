import { judgeDifference } from "../../core/statistics/change.ts";
import { computePairDifference } from "../../core/statistics/difference.ts";
import {
  changeBetween,
  groupByKey,
  promptOf,
  ratio,
  judgeChanges,
  roundToSixDigits,
  uncertainty,
  type ValuedAnswer,
} from "./figures.ts";
import { OWN, type BrandTruth, type TrueAnswer } from "./scene.ts";
import { selectParts, type Part, type Request } from "./selection.ts";

export function expectedAwareness(s: BrandTruth, request: Request) {
  const parts = selectParts(s, request);
  const rows = parts.map((part) => rowOf(part, s));
  const isCounted = rows.map(({ answers, asked, look_alikes_asked }) => answers + asked + look_alikes_asked > 0);
  const counted = parts.filter((_, at) => isCounted[at]);
  const rivals = s.brands
    .filter(({ name }) => name !== OWN)
    .map(
      ({ id }) =>
        (answer: TrueAnswer) =>
          Number(isNamed(answer, id)),
    );
  const unaided = counted.map(({ brand, current, before, isAlone }) => {
    const value = (answer: TrueAnswer) => Number(isNamed(answer, brand.id));
    return before && changeBetween([unaidedIn(before), unaidedIn(current)], { value, isShare: false, isAlone, rivals });
  });
  const aided = counted.map(({ brand, current, before, isAlone }) => {
    const sides = [aidedIn(before ?? [], brand.id), aidedIn(current, brand.id)] as const;
    return before && changeBetween(sides, { value: isRecognised, isShare: false, isAlone });
  });
  const changes = [unaided, aided].map((each) => counted.map((part, at) => judgeChanges(each, part.against)[at]));
  return rows
    .filter((_, at) => isCounted[at])
    .map((row, at) => ({ ...row, unaided_change: changes[0]?.[at] ?? null, aided_change: changes[1]?.[at] ?? null }));
}

function isNamed({ truth }: TrueAnswer, brandId: string): boolean {
  return truth.brandRanks.some((place) => place.brand_id === brandId);
}

function unaidedIn(answers: readonly TrueAnswer[]): TrueAnswer[] {
  return answers.filter(({ question }) => question.asked.kind === "unaided");
}

/** Extracted answers to prompts about a brand, or its look-alikes. */
function aidedIn(answers: readonly TrueAnswer[], brandId: string, isLookAlike = false): TrueAnswer[] {
  return answers.filter(({ question: { asked }, truth }) => {
    const isOf = asked.kind === "aided" && asked.brandId === brandId && (asked.lookAlike !== null) === isLookAlike;
    return isOf && truth.perception?.awareness != null;
  });
}

const verdictOf = ({ truth }: TrueAnswer) => truth.perception?.awareness;
const isRecognised = (answer: TrueAnswer) => Number(verdictOf(answer) === "recognised");
const recognisedIn = (answers: readonly TrueAnswer[]) => answers.filter((one) => isRecognised(one) === 1).length;

function rowOf({ brand, names, current, sources }: Part, s: BrandTruth) {
  const unaided = unaidedIn(current).map((answer): ValuedAnswer => ({
    answer,
    value: Number(isNamed(answer, brand.id)),
  }));
  const aided = aidedIn(current, brand.id);
  const control = aidedIn(current, brand.id, true);
  const named = unaided.filter(({ value }) => value === 1).length;
  const count = (verdict: string) => aided.filter((answer) => verdictOf(answer) === verdict).length;
  return {
    ...names,
    answers: unaided.length,
    prompts: promptsIn(unaided.map(({ answer }) => answer)),
    occurrences: named,
    unaided: ratio(named, unaided.length),
    ...uncertainty("unaided", unaided, sources),
    asked: aided.length,
    asked_prompts: promptsIn(aided),
    recognised: recognisedIn(aided),
    not_recognised: count("not_recognised"),
    confused: count("confused"),
    aided: ratio(recognisedIn(aided), aided.length),
    ...uncertainty(
      "aided",
      aided.map((answer) => ({ answer, value: isRecognised(answer) })),
      sources,
    ),
    look_alikes_asked: control.length,
    look_alikes_recognised: recognisedIn(control),
    look_alikes: ratio(recognisedIn(control), control.length),
    difference: differenceOf(aided, control),
    quotations: quotationsOf(aided, control, { brand: brand.name, questions: s.questions }),
  };
}

function promptsIn(answers: readonly TrueAnswer[]): number {
  return new Set(answers.map(({ question }) => promptOf(question))).size;
}

function cellOf({ question: { template, country, personaId }, source, collect }: TrueAnswer): string {
  return JSON.stringify([template, source, country, personaId, collect]);
}

/** By source, country and persona: differences per template, weighted by the smaller side. */
function differenceOf(aided: readonly TrueAnswer[], control: readonly TrueAnswer[]) {
  const own = groupByKey(aided, cellOf);
  const templates = new Map<string | null, { n: number; d: number }>();
  for (const [cell, others] of groupByKey(control, cellOf)) {
    const asked = own.get(cell) ?? [];
    const n = Math.min(asked.length, others.length);
    if (n === 0) continue;
    const [rate = 0, other = 0] = [asked, others].map((answers) => recognisedIn(answers) / answers.length);
    const template = others[0]?.question.template ?? null;
    const sums = templates.get(template) ?? { n: 0, d: 0 };
    templates.set(template, { n: sums.n + n, d: sums.d + n * (rate - other) });
  }
  const each = [...templates.values()];
  const sum = (of: (one: { n: number; d: number }) => number) => each.reduce((all, one) => all + of(one), 0);
  if (each.length === 0) return { delta: null, ci_low: null, ci_high: null, templates: 0 };
  const products = { dd: sum(({ d }) => d * d), dn: sum(({ d, n }) => d * n), nn: sum(({ n }) => n * n) };
  const sums = { promptCount: each.length, n: sum(({ n }) => n), d: sum(({ d }) => d), ...products, differing: 6 };
  const change = judgeDifference(computePairDifference(sums));
  return {
    delta: roundToSixDigits(change.delta),
    ci_low: change.ci_low === null ? null : roundToSixDigits(change.ci_low),
    ci_high: change.ci_high === null ? null : roundToSixDigits(change.ci_high),
    templates: each.length,
  };
}

/** First answer per verdict: by question, collect, source and run. */
function quotationsOf(
  aided: readonly TrueAnswer[],
  control: readonly TrueAnswer[],
  { brand, questions }: { brand: string; questions: BrandTruth["questions"] },
) {
  const place = new Map(questions.map(({ id }, at) => [id, at]));
  const placeOf = ({ question }: TrueAnswer) => place.get(question.id) ?? 0;
  const inOrder = [...aided, ...control].toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      a.collect - b.collect ||
      (a.source < b.source ? -1 : Number(a.source > b.source)) ||
      a.run - b.run,
  );
  const first = new Map(
    inOrder.toReversed().map((answer) => [`${answer.question.asked.lookAlike !== null} ${verdictOf(answer)}`, answer]),
  );
  return inOrder
    .filter((answer) => [...first.values()].includes(answer))
    .map((answer) => {
      const {
        question: { asked },
        source,
        stored: { id, text, awareness },
      } = answer;
      return {
        answer_id: id,
        source,
        name: asked.lookAlike ?? brand,
        is_look_alike: asked.lookAlike !== null,
        verdict: verdictOf(answer),
        start: awareness?.start,
        end: awareness?.end,
        text: text.slice(awareness?.start, awareness?.end),
      };
    });
}
