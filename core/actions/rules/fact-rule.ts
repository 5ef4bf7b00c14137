import type { Evidence } from "../action.ts";
import { MIN_ANSWERS, ownColumns, type ActionFinding, type RuleInput } from "../finding.ts";
import {
  buildOpinionFinding,
  opinionRow,
  buildPageRows,
  buildPromptRows,
  buildSourceRows,
  type OpinionRowContext,
} from "./opinion-rows.ts";
import { groupShares, sumShare, type FactWithClaims, type FactClaim, type OpinionView } from "../opinion-view.ts";
import { groupCitedPages, sampleEvenly, type OpenedAnswers } from "./opened-answer.ts";

/** Min contradicting prompts, and min share of contradicting answers among those about the fact. */
const MIN_WRONG_PROMPTS = 2;
const MIN_WRONG_SHARE = 0.1;

const MAX_FACTS_OPENED = 10;
const MAX_ANSWERS_OPENED = 20;

/** Facts contradicted by answers, most answers first. */
export function findContradictedFacts({ facts }: Pick<OpinionView, "facts">): FactWithClaims[] {
  return facts
    .filter(isContradicted)
    .toSorted(
      (a, b) => listContradictingClaims(b).length - listContradictingClaims(a).length || (a.id < b.id ? -1 : 1),
    );
}

function isContradicted(fact: FactWithClaims): boolean {
  const wrong = listContradictingClaims(fact);
  const least = Math.max(MIN_ANSWERS, MIN_WRONG_SHARE * fact.claims.length);
  return wrong.length >= least && groupShares(wrong, "prompt").size >= MIN_WRONG_PROMPTS;
}

function listContradictingClaims({ claims }: FactWithClaims): FactClaim[] {
  return claims.filter(({ value }) => value === 1);
}

export function selectContradictingAnswers(facts: readonly FactWithClaims[]): { factId: string; keys: number[] }[] {
  return facts.slice(0, MAX_FACTS_OPENED).map((fact) => {
    const keys = listContradictingClaims(fact).map(({ key }) => key);
    return { factId: fact.id, keys: sampleEvenly(keys, MAX_ANSWERS_OPENED) };
  });
}

/** Contradicting sentences by fact id and answer key. */
export type ContradictingSentences = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** One finding per fact, with answers by source, cited pages and prompts. */
export function findWrongFacts(
  input: RuleInput,
  view: OpinionView,
  facts: { contradictedFacts: readonly FactWithClaims[]; opened: OpenedAnswers; sentences: ContradictingSentences },
): ActionFinding[] {
  return facts.contradictedFacts.map((fact) =>
    buildOpinionFinding(view, {
      rule: "wrong_fact",
      subject: `fact:${fact.id}`,
      subjectName: fact.attribute,
      evidence: toEvidenceRows(input, view, fact, facts),
      gap: sumShare(fact.claims).x / fact.claims.length,
      counted: listContradictingClaims(fact),
      rival: null,
    }),
  );
}

function toEvidenceRows(
  input: RuleInput,
  view: OpinionView,
  fact: FactWithClaims,
  { opened, sentences }: { opened: OpenedAnswers; sentences: ContradictingSentences },
): Evidence[] {
  const { id, attribute, declaredValue, claims } = fact;
  const own = sentences.get(id);
  const [sentence = null] = own?.values() ?? [];
  const context: OpinionRowContext = {
    rule: "wrong_fact",
    collectId: input.collect.id,
    opinion: { kind: "fact", about: attribute, fact_id: id, declared: declaredValue, said: sentence },
    opened,
    own: ownColumns(input),
  };
  const words = (key: number) => own?.get(key) ?? null;
  return [
    opinionRow(claims, context),
    ...buildSourceRows(claims, context),
    ...buildPageRows(groupCitedPages(listContradictingClaims(fact), opened.ownHosts), { ...context, words }),
    ...buildPromptRows(view, claims, (isOf) => opinionRow(claims.filter(isOf), context)),
  ];
}
