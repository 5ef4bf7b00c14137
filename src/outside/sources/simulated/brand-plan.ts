import { isAboutAttribute } from "../../../../core/perception/attributes.ts";
import { computePolarity } from "../../../../core/perception/polarity.ts";
import { DISCOURAGED_PATTERN, RECOMMENDED_PATTERN, WINNER_PATTERN } from "../../../../core/perception/stance-words.ts";
import type { PromptContext } from "../../../../core/prompts/brand-prompt.ts";
import { isResultPageSource } from "../../../../core/sources/sources.ts";
import type { Question } from "../provider.ts";
import { getCast, findNamedMembers, type CastMember } from "./cast.ts";
import { createRandom, pick } from "./chance.ts";
import { openSimulatedOpinions, type SimulatedOpinions } from "./opinions.ts";
import { planPages, planAnswer, isAnswerAbsent, seedPlace, type AnswerPlan, type PlannedPage } from "./plan.ts";
import type { SimulatedWorld } from "./world-file.ts";
import type { OpinionPhrase, WorldClaim } from "./world-opinions.ts";

export interface Portrait {
  member: CastMember;
  label: "picked" | "discouraged" | null;
  pros: readonly OpinionPhrase[];
  cons: readonly OpinionPhrase[];
  /** Scores are -4 to 4, never -1 to 1. */
  scores: readonly { words: string; score: number }[];
  aspects: readonly { aspect: string; isBetter: boolean; than: CastMember }[];
  claims: readonly { claim: WorldClaim; page: PlannedPage }[];
}

export interface BrandAnswerPlan extends AnswerPlan {
  /** Result pages and empty answers have no portraits. */
  layout: "paragraphs" | "listed" | "headed" | "declined";
  knows: SimulatedOpinions["knows"];
  unknown: CastMember | null;
  confusedWith: CastMember | null;
  portraits: readonly Portrait[];
  verdict: { member: CastMember; stance: "winner" | "recommended" | "discouraged"; over: CastMember | null } | null;
}

const CITED_SHARE = 0.4;
const IN_PASSING_SHARE = 0.3;
const CONSIDERED_SHARE = 0.5;
const DRAWN_SHARE = 0.15;
const CONFUSED_SHARE = 0.5;

const MAX_ASPECTS = 2;

type RandomSource = () => number;

interface MemberOpinions {
  member: CastMember;
  of: SimulatedOpinions;
}

const EMPTY_PLAN = { unknown: null, confusedWith: null, portraits: [], verdict: null, knows: "well" } as const;

/** Deterministic per world, prompt and catalog. */
export function planBrandAnswer(world: SimulatedWorld, question: Question, asked: PromptContext): BrandAnswerPlan {
  const mind = openSimulatedOpinions(world, question);
  if (asked.kind === "unaided" || isResultPageSource(question.source) || isAnswerAbsent(world, question)) {
    const listing = planAnswer(world, question);
    if (listing.style === "results") return { ...listing, ...EMPTY_PLAN, layout: "listed" };
    const portraits = listing.listed.map(({ member }, at) => planListed({ member, of: mind.of(member) }, question, at));
    return { ...listing, ...EMPTY_PLAN, layout: "listed", portraits };
  }
  const { source, prompt, run, collectNumber } = question;
  const random = createRandom(world.seed, "brand answer", source, prompt, run, collectNumber, ...seedPlace(question));
  const minds = findAskedMembers(world, question, asked).map((member) => ({ member, of: mind.of(member) }));
  const strange = minds.find(({ of }) => of.knows !== "well");
  if (strange) return completePlan(planDeclined(world, question, strange, random), []);
  const owners = minds.filter(({ member }) => member.domain !== null && random() < CITED_SHARE);
  const from = owners.map(({ member }) => member);
  const pages = planPages(world, question, from, random);
  const [one, other] = random() < 0.5 ? minds : minds.toReversed();
  if (one && other) return completePlan(planComparison(question, mind, [one, other], random), pages);
  return completePlan(one ? planDescription(world, question, { asked, about: one }, random) : {}, pages);
}

function planDeclined(
  world: SimulatedWorld,
  { brands }: Question,
  { member, of: { knows } }: MemberOpinions,
  random: RandomSource,
): Partial<BrandAnswerPlan> {
  const others = getCast(world, brands).members.filter(({ name }) => name !== member.name);
  const isTaken = knows === "confused" && others.length > 0 && random() < CONFUSED_SHARE;
  return { layout: "declined", knows, unknown: member, confusedWith: isTaken ? pick(others, random) : null };
}

function planComparison(
  question: Question,
  { aspectsOf, prefers }: ReturnType<typeof openSimulatedOpinions>,
  [opinions, other]: readonly [MemberOpinions, MemberOpinions],
  random: RandomSource,
): Partial<BrandAnswerPlan> {
  const pair = [opinions.member, other.member] as const;
  const aspects = aspectsOf(pair)
    .filter((aspect) => isAboutNoAttribute(`${aspect} ${other.member.name}`, question))
    .map((aspect) => ({ aspect, isBetter: prefers(pair, aspect), than: other.member }));
  const first = { ...describeMember(opinions, question, [1, 1]), aspects: aspects.slice(0, MAX_ASPECTS) };
  const [best, worse] = prefers(pair, null) ? [opinions, other] : [other, opinions];
  const verdict = { member: best.member, stance: "winner" as const, over: worse.member };
  return {
    portraits: [first, describeMember(other, question, [1, 1])],
    verdict: random() < DRAWN_SHARE ? null : verdict,
  };
}

function planDescription(
  world: SimulatedWorld,
  question: Question,
  { asked, about }: { asked: PromptContext; about: MemberOpinions },
  random: RandomSource,
): Partial<BrandAnswerPlan> {
  const own = describeMember(about, question, asked.kind === "perception" ? [3, 2] : [2, 1]);
  const claims = about.of.claims.flatMap((claim) => {
    const page = findClaimPage(world, about.member, claim);
    return page ? [{ claim, page }] : [];
  });
  const isHeaded = asked.asksProsCons && own.pros.length + own.cons.length > 0;
  const scores = isHeaded ? [] : toScores(about.of, question, asked, random);
  const portraits = [{ ...own, scores, claims }];
  const verdict = asked.kind === "aided" ? null : planVerdict(about, own, random);
  return { layout: isHeaded ? "headed" : "paragraphs", portraits, verdict };
}

/** The own brand comes first. Includes brands that no answer names on its own. */
function findAskedMembers(
  world: SimulatedWorld,
  { brands }: Question,
  { brandId, otherBrandId, lookAlike }: PromptContext,
): CastMember[] {
  if (lookAlike !== null) return [{ name: lookAlike, domain: null, world: null, tracked: null }];
  const { members } = getCast(world, brands);
  return [brandId, otherBrandId].flatMap((id): CastMember[] => {
    const tracked = brands.find((brand) => brand.id === id);
    if (!tracked) return [];
    const known = members.find((member) => member.tracked === tracked);
    return [known ?? { name: tracked.name, domain: tracked.domains[0] ?? null, world: null, tracked }];
  });
}

function planListed({ member, of }: MemberOpinions, question: Question, at: number): Portrait {
  const label = at === 0 && of.isPicked ? "picked" : at > 0 && of.isDiscouraged ? "discouraged" : null;
  return { ...describeMember({ member, of }, question, [2, 1]), label };
}

function describeMember(
  { member, of }: MemberOpinions,
  question: Question,
  [pros, cons]: readonly [number, number],
): Portrait {
  const others = (said: readonly OpinionPhrase[]) => said.filter(({ say }) => isAboutNoAttribute(say, question));
  return {
    member,
    label: null,
    pros: others(of.pros).slice(0, pros),
    cons: others(of.cons).slice(0, cons),
    scores: [],
    aspects: [],
    claims: [],
  };
}

/** Phrases about an attribute are expressed only by its score. */
function isAboutNoAttribute(words: string, question: Question): boolean {
  return listAskedAttributes(question).every((attribute) => !isAboutAttribute(words, attribute));
}

export function listAskedAttributes({ asked, attributes = [] }: Question): string[] {
  return [...new Set(asked?.attribute ? [asked.attribute, ...attributes] : attributes)];
}

function toScores(
  of: SimulatedOpinions,
  question: Question,
  { kind, attribute: own }: PromptContext,
  random: RandomSource,
) {
  if (kind === "aided") return [];
  return listAskedAttributes(question).flatMap((attribute) => {
    const isSaid = attribute === own || random() < IN_PASSING_SHARE;
    const words = findPlainAttribute(attribute);
    const score = Math.round(of.scoreOf(attribute));
    if (!isSaid || words === null || score === 0) return [];
    return [{ words, score: Math.sign(score) * Math.min(4, Math.max(2, Math.abs(score))) }];
  });
}

/** Words that can be a sentence's subject; null if there are none. */
function findPlainAttribute(attribute: string): string | null {
  const parts = attribute.split(/[^\p{L}\p{N} '’-]+|\s(?:and|with|plus|but|or|versus|vs)\s/iu);
  const plain = parts.map((part) => part.trim()).find((part) => part !== "" && isAboutAttribute(part, attribute));
  return plain ?? null;
}

function planVerdict(
  { member, of }: MemberOpinions,
  { pros, cons }: Portrait,
  random: RandomSource,
): BrandAnswerPlan["verdict"] {
  const isConsidered = random() < CONSIDERED_SHARE && pros.length >= cons.length;
  const stance = of.isDiscouraged ? "discouraged" : of.isPicked ? "winner" : isConsidered ? "recommended" : null;
  return stance === null ? null : { member, stance, over: null };
}

/** Deterministic; undefined if the brand has no site and the claim names no other. */
function findClaimPage(
  world: SimulatedWorld,
  member: CastMember,
  { attribute, site: domain }: WorldClaim,
): PlannedPage | undefined {
  const path = attribute.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const site = world.sites.find((one) => one.domain === domain) ?? null;
  if (site) {
    const about = member.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    return { url: `https://${site.domain}${site.path}/${about}-${path}`, title: site.title, member: null, site };
  }
  if (member.domain === null) return undefined;
  return { url: `https://www.${member.domain}/facts/${path}`, title: `${member.name} – facts`, member, site: null };
}

function completePlan(part: Partial<BrandAnswerPlan>, pages: readonly PlannedPage[]): BrandAnswerPlan {
  const plan = { ...EMPTY_PLAN, layout: "paragraphs" as const, ...part };
  const claimed = plan.portraits.flatMap(({ claims }) => claims.map(({ page }) => page));
  const counts = new Map<CastMember, number>();
  const names = (member: CastMember | null | undefined) => {
    if (member) counts.set(member, (counts.get(member) ?? 0) + 1);
  };
  // Sentences such as "I'm not familiar with it" name no brand.
  if (plan.knows === "unsure" || (plan.knows === "confused" && !plan.confusedWith)) names(plan.unknown);
  names(plan.confusedWith);
  for (const { member, aspects } of plan.portraits) {
    names(member);
    if (plan.layout === "headed") names(member);
    for (const { than } of aspects) names(than);
  }
  names(plan.verdict?.member);
  names(plan.verdict?.over);
  const listed = [...counts].map(([member, mentionCount]) => ({ member, mentionCount }));
  return { ...plan, style: "prose", pages: [...pages, ...claimed], listed, aside: [] };
}

/** The words must not read as opinion or name. */
export function findPlainCategory(world: SimulatedWorld, { category = "", brands }: Question): string | null {
  const judges = [WINNER_PATTERN, RECOMMENDED_PATTERN, DISCOURAGED_PATTERN].some((words) => words.test(category));
  const isPlain = /^[\p{L}\p{N}' -]+$/u.test(category) && !judges && computePolarity(category, true).score === 0;
  return isPlain && findNamedMembers(category, getCast(world, brands)).size === 0 ? category : null;
}
