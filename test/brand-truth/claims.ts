import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { isResultPageSource } from "../../core/sources/sources.ts";
import {
  sumByPrompt,
  changeBetween,
  groupByKey,
  ratio,
  createShare,
  judgeChanges,
  roundToSixDigits,
  type ValuedAnswer,
} from "./figures.ts";
import { isNamed } from "./perception.ts";
import { FACTS, type BrandTruth, type TrueAnswer } from "./scene.ts";
import { selectParts, type Part, type Request } from "./selection.ts";

type Fact = (typeof FACTS)[number];

export function expectedClaims(s: BrandTruth, request: Request) {
  const parts = selectParts(s, { ...request, groupBy: request.groupBy.filter((one) => one !== "brand") });
  // Result pages have no claims.
  const held = parts.filter(({ current }) => current.some(({ source }) => !isResultPageSource(source)));
  const told = held.flatMap((part) => FACTS.map((fact) => ({ part, fact })));
  const changes = told.map(({ part: { brand, current, before }, fact }) => {
    const value = (answer: TrueAnswer) => (isNamed(answer, brand.id) ? valueOf(answer, fact) : undefined);
    const sides = [(before ?? []).filter(isAsked), current.filter(isAsked)] as const;
    return before && changeBetween(sides, { value, isShare: true, isAlone: false });
  });
  return told
    .map(({ part, fact }, at) => ({
      ...rowOf(part, fact),
      change: judgeChanges(changes, part.against)[at],
    }))
    .toSorted((a, b) => b.contradicted - a.contradicted || b.agreed - a.agreed);
}

/** Prompts for invented names do not count for a brand. */
function isAsked({ question }: TrueAnswer): boolean {
  return question.asked.lookAlike === null;
}

function claimOf({ claims }: TrueAnswer, { attribute }: Fact) {
  return claims.find((claim) => claim.attribute === attribute);
}

function valueOf(answer: TrueAnswer, fact: Fact): number | undefined {
  const verdict = claimOf(answer, fact)?.verdict;
  return verdict === "contradicted" ? 1 : verdict === "agreed" ? 0 : undefined;
}

function rowOf({ brand, names, current, sources }: Part, fact: Fact) {
  const named = current.filter((answer) => isAsked(answer) && isNamed(answer, brand.id));
  const saying = named.flatMap((answer): ValuedAnswer[] => {
    const value = valueOf(answer, fact);
    return value === undefined ? [] : [{ answer, value }];
  });
  const prompts = sumByPrompt(saying).size;
  const isTold = saying.length >= 10 && prompts >= 5;
  const { interval, grade } = createShare(saying, sources);
  const contradicted = saying.filter(({ value }) => value === 1).length;
  return {
    ...names,
    attribute: fact.attribute,
    value: fact.told,
    as_of: fact.as_of,
    source_url: fact.source_url,
    answers: named.length,
    agreed: saying.length - contradicted,
    contradicted,
    not_mentioned: named.length - saying.length,
    said: saying.length,
    prompts,
    contradicted_rate: isTold ? ratio(contradicted, saying.length) : null,
    ci_low: isTold && interval ? roundToSixDigits(interval.low) : null,
    ci_high: isTold && interval ? roundToSixDigits(interval.high) : null,
    grade: isTold ? grade : "exploratory",
    pages: pagesOf(saying, fact),
    quotations: quotationsOf(saying, fact),
  };
}

function pagesOf(saying: readonly ValuedAnswer[], fact: Fact) {
  const pages = groupByKey(saying, ({ answer }) => claimOf(answer, fact)?.url ?? "");
  return [...pages]
    .filter(([url]) => url !== "")
    .map(([url, own]) => {
      const contradicted = own.filter(({ value }) => value === 1).length;
      return { url, contradicted, agreed: own.length - contradicted };
    })
    .toSorted((a, b) => b.contradicted - a.contradicted || b.agreed - a.agreed || (a.url < b.url ? -1 : 1))
    .slice(0, 10);
}

/**
 * Up to three contradicting sentences, each of another source or page, and one agreeing, from any
 * matching answer.
 */
function quotationsOf(saying: readonly ValuedAnswer[], fact: Fact): unknown {
  const quotable = saying.map(({ answer }) => {
    const { url, verdict } = claimOf(answer, fact) ?? {};
    return { answer_id: answer.stored.id, source: answer.source, verdict, url, whole: answer.stored.text };
  });
  const kinds = groupByKey(
    quotable.filter(({ verdict }) => verdict === "contradicted"),
    ({ source, url }) => JSON.stringify([source, url]),
  );
  const agreed = quotable.some(({ verdict }) => verdict === "agreed") ? ["agreed"] : [];
  const verdicts = [...Array.from({ length: Math.min(3, kinds.size) }, () => "contradicted"), ...agreed];
  return expect.toSatisfy(
    (told: { start: number; end: number; text: string; verdict: string; source: string; url: string }[]) => {
      const from = told
        .filter(({ verdict }) => verdict === "contradicted")
        .map(({ source, url }) => `${source} ${url}`);
      const isEach = told.every(({ start, end, text, ...one }) =>
        quotable.some(
          ({ whole, ...other }) => isDeepStrictEqual(one, other) && whole.slice(start, end) === text && text.length > 0,
        ),
      );
      const order = told.map(({ verdict }) => verdict);
      return isEach && new Set(from).size === from.length && isDeepStrictEqual(order, verdicts);
    },
  );
}
