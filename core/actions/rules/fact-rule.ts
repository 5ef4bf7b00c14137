import type { Evidence } from "../action.ts";
import { LEAST_ANSWERS, ownColumns, type Finding, type RuleInput } from "../finding.ts";
import { opinionFinding, opinionRow, pageRows, promptRows, sourceRows, type RowOf } from "./opinion-rows.ts";
import { sharesBy, shareOf, type HeldAgainst, type HeldClaim, type OpinionView } from "../opinion-view.ts";
import { pagesOf, spread, type SaidAnswers } from "./said-answer.ts";

/** Min contradicting prompts, and min share of contradicting answers among those about the fact. */
const LEAST_WRONG_PROMPTS = 2;
const LEAST_WRONG_SHARE = 0.1;

/** Max facts, and max contradicting answers per fact, that are opened. */
const MOST_FACTS_OPENED = 10;
const MOST_ANSWERS_OPENED = 20;

/** Facts contradicted by answers, most answers first. */
export function contradictedFacts({ facts }: Pick<OpinionView, "facts">): HeldAgainst[] {
  return facts
    .filter(isContradicted)
    .toSorted((a, b) => wrongOf(b).length - wrongOf(a).length || (a.id < b.id ? -1 : 1));
}

function isContradicted(fact: HeldAgainst): boolean {
  const wrong = wrongOf(fact);
  const least = Math.max(LEAST_ANSWERS, LEAST_WRONG_SHARE * fact.claims.length);
  return wrong.length >= least && sharesBy(wrong, "prompt").size >= LEAST_WRONG_PROMPTS;
}

function wrongOf({ claims }: HeldAgainst): HeldClaim[] {
  return claims.filter(({ value }) => value === 1);
}

export function contradictingAnswers(facts: readonly HeldAgainst[]): { factId: string; keys: number[] }[] {
  return facts.slice(0, MOST_FACTS_OPENED).map((fact) => {
    const keys = wrongOf(fact).map(({ key }) => key);
    return { factId: fact.id, keys: spread(keys, MOST_ANSWERS_OPENED) };
  });
}

/** Contradicting sentences by fact id and answer key. */
export type Sentences = ReadonlyMap<string, ReadonlyMap<number, string>>;

/**
 * One finding per fact: contradicting answers by source, the pages cited for it, and the prompts
 * that lead to it.
 */
export function wrongFacts(
  input: RuleInput,
  view: OpinionView,
  found: { contradicted: readonly HeldAgainst[]; opened: SaidAnswers; sentences: Sentences },
): Finding[] {
  return found.contradicted.map((fact) =>
    opinionFinding(view, {
      rule: "wrong_fact",
      subject: `fact:${fact.id}`,
      about: fact.attribute,
      evidence: rowsOf(input, view, fact, found),
      gap: shareOf(fact.claims).x / fact.claims.length,
      counted: wrongOf(fact),
      rival: null,
    }),
  );
}

function rowsOf(
  input: RuleInput,
  view: OpinionView,
  fact: HeldAgainst,
  { opened, sentences }: { opened: SaidAnswers; sentences: Sentences },
): Evidence[] {
  const { id, attribute, declared, claims } = fact;
  const own = sentences.get(id);
  const [said = null] = own?.values() ?? [];
  const of: RowOf = {
    rule: "wrong_fact",
    collectId: input.collect.id,
    opinion: { kind: "fact", about: attribute, fact_id: id, declared, said },
    opened,
    own: ownColumns(input),
  };
  const words = (key: number) => own?.get(key) ?? null;
  return [
    opinionRow(claims, of),
    ...sourceRows(claims, of),
    ...pageRows(pagesOf(wrongOf(fact), opened.ownHosts), { ...of, words }),
    ...promptRows(view, claims, (isOf) => opinionRow(claims.filter(isOf), of)),
  ];
}
