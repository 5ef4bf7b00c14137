import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import {
  changeBetween,
  promptOf,
  ratio,
  createShare,
  judgeChanges,
  roundToSixDigits,
  sumOf,
  uncertainty,
  type ValuedAnswer,
} from "./figures.ts";
import type { BrandTruth, TrueAnswer } from "./scene.ts";
import { isUnsolicited, selectParts, type Part, type Request } from "./selection.ts";

const STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"] as const;
type Polarity = "pro" | "con";

export function expectedPerception(s: BrandTruth, request: Request) {
  const told = selectParts(s, request).flatMap((part) => {
    const of = { part, named: namedIn(part.current, part.brand.id), asking: selectProsConsAnswers(part.current) };
    const points = (["pro", "con"] as const).map((polarity) => pointsOf(s, of, polarity));
    return of.named.length + points.flat().length > 0 ? [{ ...of, points }] : [];
  });
  const changes = (valueOf: (answer: TrueAnswer, brandId: string) => number | undefined) =>
    told.map(({ part: { current, before, brand, isAlone } }) => {
      const value = (answer: TrueAnswer) => (isNamed(answer, brand.id) ? valueOf(answer, brand.id) : undefined);
      return before && changeBetween([countedIn(before), countedIn(current)], { value, isShare: true, isAlone });
    });
  const stances = (["recommended", "caveated"] as const).map((stance) =>
    changes((answer, id) => Number(stanceOf(answer, id) === stance)),
  );
  const [cons, sentiments] = [changes((answer, id) => Number(count(answer, id, "con") > 0)), changes(sentimentOf)];
  return told.map(({ part, named, points }, at) => {
    const row = rowOf(part, named);
    return {
      ...row,
      recommended_share_change: judgeChanges(stances[0] ?? [], part.against)[at],
      caveated_share_change: judgeChanges(stances[1] ?? [], part.against)[at],
      con_rate_change: judgeChanges(cons, part.against)[at],
      sentiment_change:
        row.sentiment === null ? null : judgeChanges(sentiments, part.against, { scale: 2, shift: -1 })[at],
      pros: points[0]?.map(({ point }) => point),
      cons: points[1]?.map(({ point }) => point),
      quotations: points.flatMap((each) => each.slice(0, 2).map(({ quotation }) => quotation)),
    };
  });
}

/**
 * Answers to unaided prompts, aided ones about a brand, and perception prompts without pros and
 * cons.
 */
function countedIn(answers: readonly TrueAnswer[]): TrueAnswer[] {
  return answers.filter((answer) => {
    const { kind } = answer.question.asked;
    return (kind === "unaided" || kind === "aided" || kind === "perception") && isUnsolicited(answer);
  });
}

function selectProsConsAnswers(answers: readonly TrueAnswer[]): TrueAnswer[] {
  return answers.filter(({ question: { asked } }) => asked.asksProsCons);
}

export function isNamed({ truth }: TrueAnswer, id: string): boolean {
  return truth.perception?.stances.some(({ brandId }) => brandId === id) ?? false;
}

function namedIn(answers: readonly TrueAnswer[], id: string): TrueAnswer[] {
  return countedIn(answers).filter((answer) => isNamed(answer, id));
}

function count({ truth }: TrueAnswer, id: string, polarity: Polarity): number {
  const points = truth.perception?.points ?? [];
  return points.filter((point) => point.brandId === id && point.polarity === polarity).length;
}

/** 1 for more pros, 0.5 for equal numbers, 0 otherwise. */
function sentimentOf(answer: TrueAnswer, id: string): number | undefined {
  const [pros, cons] = [count(answer, id, "pro"), count(answer, id, "con")];
  if (pros + cons === 0) return undefined;
  if (pros === cons) return 0.5;
  return pros > cons ? 1 : 0;
}

/**
 * Stance of the best mention, but "discouraged" if any discourages and none is better than a
 * caveat.
 */
export function stanceOf({ truth }: TrueAnswer, id: string): (typeof STANCES)[number] {
  const stances = (truth.perception?.stances ?? []).filter(({ brandId }) => brandId === id);
  const said = new Set(stances.map(({ stance }) => stance));
  const order = ["winner", "recommended", "discouraged", "caveated", "mentioned"] as const;
  return order.find((stance) => said.has(stance)) ?? "mentioned";
}

function rowOf({ brand: { id }, names, sources }: Part, named: readonly TrueAnswer[]) {
  const prompts = new Set(named.map(({ question }) => promptOf(question))).size;
  const stances = STANCES.map((stance) => {
    const of = named.filter((answer) => stanceOf(answer, id) === stance).length;
    return { [stance]: of, [`${stance}_share`]: ratio(of, named.length) };
  });
  const having = (polarity: Polarity) =>
    named.map((answer): ValuedAnswer => ({ answer, value: Number(count(answer, id, polarity) > 0) }));
  const [pros, cons] = [having("pro"), having("con")];
  const either = named.flatMap((answer): ValuedAnswer[] => {
    const value = sentimentOf(answer, id);
    return value === undefined ? [] : [{ answer, value }];
  });
  const more = either.filter(({ value }) => value === 1).length;
  const less = either.filter(({ value }) => value === 0).length;
  const share = createShare(either, sources);
  const isTold = either.length >= 10 && share.prompts >= 5;
  const ended = (end: "low" | "high") =>
    isTold && share.interval ? roundToSixDigits(2 * share.interval[end] - 1) : null;
  return {
    ...names,
    answers: named.length,
    prompts,
    ...Object.assign({}, ...stances),
    // Every simulated answer is in English.
    judged: named.length,
    judged_prompts: prompts,
    unjudged: 0,
    unjudged_because: null,
    with_pros: sumOf(pros),
    pro_rate: ratio(sumOf(pros), named.length),
    ...uncertainty("pro", pros, sources),
    with_cons: sumOf(cons),
    con_rate: ratio(sumOf(cons), named.length),
    ...uncertainty("con", cons, sources),
    more_pros: more,
    more_cons: less,
    with_either: either.length,
    either_prompts: share.prompts,
    sentiment: isTold ? ratio(more - less, either.length) : null,
    sentiment_ci_low: ended("low"),
    sentiment_ci_high: ended("high"),
    sentiment_grade: isTold ? share.grade : "exploratory",
  };
}

/** The five most frequent pros or cons of a brand, with an answer for each. */
function pointsOf(
  s: BrandTruth,
  { part, named, asking }: { part: Part; named: readonly TrueAnswer[]; asking: readonly TrueAnswer[] },
  polarity: Polarity,
) {
  const { id: brandId, number } = part.brand;
  const saying = (answers: readonly TrueAnswer[], head: string) =>
    answers.filter(({ truth }) =>
      truth.perception?.points.some(
        (point) => point.brandId === brandId && point.polarity === polarity && point.head === head,
      ),
    );
  const heads = new Set(
    [...named, ...asking].flatMap(({ truth }) =>
      (truth.perception?.points ?? [])
        .filter((point) => point.brandId === brandId && point.polarity === polarity)
        .map((point) => point.head),
    ),
  );
  return Array.from(heads, (head) => ({ head, answers: saying(named, head), asked: saying(asking, head) }))
    .toSorted(
      (a, b) => b.answers.length - a.answers.length || b.asked.length - a.asked.length || (a.head < b.head ? -1 : 1),
    )
    .slice(0, 5)
    .map(({ head, answers, asked }) => {
      const isIt = (span: Span) => span.brand === number && span.polarity === polarity && span.head === head;
      const phrase = wordingOf(s, [...answers, ...asked], { brand: number, polarity, head }) ?? head;
      const quotable = (answers.length > 0 ? answers : asked).map(({ source, stored: { id, text, perception } }) => {
        const { start, end } = perception?.points.find(isIt) ?? {};
        return { answer_id: id, source, polarity, head, start, end, text: text.slice(start, end) };
      });
      return {
        point: { phrase, head, answers: answers.length, asked: asked.length },
        // Any matching answer.
        quotation: expect.toSatisfy((told) => quotable.some((one) => isDeepStrictEqual(one, told))) as unknown,
      };
    });
}

interface Span {
  brand: number;
  polarity: Polarity;
  head: string;
}

/** Most frequent wording per source and collect, and of these the most frequent. */
function wordingOf(s: BrandTruth, answers: readonly TrueAnswer[], point: Span): string | undefined {
  const said = new Map<string, number>();
  for (const part of new Set(answers.map(({ source, collect }) => `${source} ${collect}`))) {
    const [commonest] = [...(wordingsIn(s).get(keyOf(part, point)) ?? [])].toSorted(
      ([a, often], [b, more]) => more - often || a.length - b.length || (a < b ? -1 : 1),
    );
    if (commonest) said.set(commonest[0], (said.get(commonest[0]) ?? 0) + commonest[1]);
  }
  const [named] = [...said].toSorted(([a, often], [b, more]) => more - often || (a < b ? -1 : 1));
  return named?.[0];
}

const keyOf = (part: string, { brand, polarity, head }: Span) => JSON.stringify([part, brand, polarity, head]);

const wordings = new WeakMap<BrandTruth, Map<string, Map<string, number>>>();

/** Frequencies of wordings by point, source and collect. */
function wordingsIn(s: BrandTruth): Map<string, Map<string, number>> {
  const known = wordings.get(s) ?? new Map<string, Map<string, number>>();
  if (wordings.has(s)) return known;
  wordings.set(s, known);
  for (const { source, collect, stored } of s.answers) {
    for (const point of stored.perception?.points ?? []) {
      const key = keyOf(`${source} ${collect}`, point);
      const phrases = known.get(key) ?? new Map<string, number>();
      known.set(key, phrases);
      const phrase = stored.text.slice(point.start, point.end).replaceAll(/\s+/g, " ").trim();
      if (phrase.length <= 80) phrases.set(phrase, (phrases.get(phrase) ?? 0) + 1);
    }
  }
  return known;
}
