import { isDeepStrictEqual } from "node:util";
import type { FactValue } from "../../core/claims/fact.ts";
import { isAboutAttribute } from "../../core/perception/attributes.ts";
import { toHeadNoun } from "../../core/perception/head-nouns.ts";
import type {
  AttributeClause,
  BrandPreference,
  OpinionPoint,
  MentionStance,
  Stance,
  AwarenessVerdict,
} from "../../core/reading/capture.ts";
import type { PromptContext } from "../../core/prompts/brand-prompt.ts";
import type { Question } from "../../src/outside/sources/provider.ts";
import {
  listAskedAttributes,
  planBrandAnswer,
  type BrandAnswerPlan,
  type Portrait,
} from "../../src/outside/sources/simulated/brand-plan.ts";
import type { CastMember } from "../../src/outside/sources/simulated/cast.ts";
import type { SimulatedWorld } from "../../src/outside/sources/simulated/world-file.ts";

type Unplaced<T> = Omit<T, "start" | "end">;

/** Expected perception of a simulated answer, without offsets. Points and scores are unordered. */
export interface SimulatedPerception {
  /** Set for aided prompts. */
  awareness: AwarenessVerdict | null;
  /** One per mention, in order. */
  stances: Unplaced<MentionStance>[];
  points: Unplaced<OpinionPoint>[];
  comparisons: Unplaced<BrandPreference>[];
  attributes: Unplaced<AttributeClause>[];
}

/**
 * The expected perception of a brand analysis answer, computed from its plan. Exact if no name
 * contains a word that praises, criticises or recommends.
 */
export function perceptionTruth(plan: BrandAnswerPlan, question: Question, asked: PromptContext): SimulatedPerception {
  const { portraits } = plan;
  return {
    awareness: asked.kind === "aided" && plan.style === "prose" ? awarenessOf(plan, question, asked) : null,
    stances: stancesOf(plan, asked),
    points: portraits.flatMap(pointsOf),
    comparisons: [...portraits.flatMap(comparedIn), ...preferredIn(plan, asked)],
    attributes: portraits.flatMap((one) => attributesOf(one, question)),
  };
}

/**
 * Expected comparison of a simulated answer with a declared fact: the verdict and the cited page.
 */
export function simulatedClaim(
  world: SimulatedWorld,
  question: Question,
  fact: { brandId: string; attribute: string; value: FactValue },
): { verdict: "agreed" | "contradicted" | "not_mentioned"; url: string | null } {
  const { portraits } = question.asked ? planBrandAnswer(world, question, question.asked) : { portraits: [] };
  const said = portraits
    .filter(({ member }) => member.tracked?.id === fact.brandId)
    .flatMap(({ claims }) => claims)
    .find(({ claim }) => claim.attribute === fact.attribute);
  if (!said) return { verdict: "not_mentioned", url: null };
  return { verdict: isDeepStrictEqual(said.claim.value, fact.value) ? "agreed" : "contradicted", url: said.page.url };
}

function awarenessOf({ knows }: BrandAnswerPlan, { brands }: Question, { brandId, lookAlike }: PromptContext) {
  // A brand that is deleted is not read any more.
  if (lookAlike === null && brands.every(({ id }) => id !== brandId)) return null;
  if (knows === "well") return "recognised" as const;
  return knows === "confused" ? ("confused" as const) : ("not_recognised" as const);
}

function stancesOf(plan: BrandAnswerPlan, { kind }: PromptContext): Unplaced<MentionStance>[] {
  const { portraits, layout, listed, aside, verdict } = plan;
  const named: [CastMember, Stance][] = [];
  if (layout === "declined") for (const { member } of listed) named.push([member, "mentioned"]);
  for (const one of portraits) {
    const isListed = kind === "unaided" && plan.style !== "prose";
    if (layout === "headed") named.push([one.member, "mentioned"]);
    named.push([one.member, stanceOf(one, isListed || layout === "headed")]);
    for (const { than } of one.aspects) named.push([than, "mentioned"]);
  }
  if (kind === "unaided") {
    for (const { member, mentionCount } of listed)
      for (let more = 1; more < mentionCount; more++) named.push([member, "mentioned"]);
    for (const { member, mentionCount: mentions } of aside)
      for (let more = 0; more < mentions; more++) named.push([member, "mentioned"]);
  }
  if (verdict) named.push([verdict.member, verdict.stance]);
  if (verdict?.over) named.push([verdict.over, "mentioned"]);
  return named.flatMap(([{ tracked }, stance]) => (tracked ? [{ brandId: tracked.id, stance }] : []));
}

function stanceOf(one: Portrait, isItem: boolean): Stance {
  const points = pointsIn(one);
  if (one.label === "discouraged") return "discouraged";
  if (one.label === "picked") return "winner";
  if (points.some(({ polarity }) => polarity === "con")) return "caveated";
  return isItem || points.length > 0 ? "recommended" : "mentioned";
}

function pointsOf(one: Portrait): Unplaced<OpinionPoint>[] {
  const { tracked } = one.member;
  return tracked ? pointsIn(one).map((point) => ({ brandId: tracked.id, ...point })) : [];
}

function pointsIn({ pros, cons, scores, aspects }: Portrait): Pick<OpinionPoint, "polarity" | "head">[] {
  return [
    ...scores.map(({ words, score }) => pointOn(score > 0, toHeadNoun(words, true))),
    ...aspects.map(({ aspect, isBetter }) => pointOn(isBetter, toHeadNoun(aspect, true))),
    ...pros.map(({ head }) => pointOn(true, head)),
    ...cons.map(({ head }) => pointOn(false, head)),
  ];
}

function pointOn(isPro: boolean, head: string): Pick<OpinionPoint, "polarity" | "head"> {
  return { polarity: isPro ? "pro" : "con", head };
}

function comparedIn({ member, aspects }: Portrait): Unplaced<BrandPreference>[] {
  return aspects.flatMap(({ aspect, isBetter, than }) =>
    preference(isBetter ? [member, than] : [than, member], aspect),
  );
}

function preferredIn({ portraits, verdict }: BrandAnswerPlan, asked: PromptContext): Unplaced<BrandPreference>[] {
  const { kind, brandId, otherBrandId } = asked;
  if (kind === "comparison" && portraits.length > 0 && !verdict && brandId !== null && otherBrandId !== null)
    return [{ better: brandId, worse: otherBrandId, aspect: null, isDraw: true }];
  return verdict?.over ? preference([verdict.member, verdict.over], null) : [];
}

function preference([better, worse]: [CastMember, CastMember], aspect: string | null): Unplaced<BrandPreference>[] {
  return better.tracked && worse.tracked ? [{ better: better.tracked.id, worse: worse.tracked.id, aspect }] : [];
}

function attributesOf({ member, scores }: Portrait, question: Question): Unplaced<AttributeClause>[] {
  const { tracked } = member;
  if (!tracked) return [];
  return scores.flatMap(({ words, score }) =>
    listAskedAttributes(question)
      .filter((attribute) => isAboutAttribute(words, attribute))
      .map((attribute) => ({ brandId: tracked.id, attribute, score })),
  );
}
