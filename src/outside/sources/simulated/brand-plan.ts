import { speaksOfAttribute } from "../../../../core/perception/attributes.ts";
import { polarityOf } from "../../../../core/perception/polarity.ts";
import { DISCOURAGED, RECOMMENDED, WINNER } from "../../../../core/perception/stance-words.ts";
import type { AskedPrompt } from "../../../../core/prompts/brand-prompt.ts";
import { listsResults } from "../../../../core/sources/sources.ts";
import type { Question } from "../provider.ts";
import { castOf, namedIn, type CastMember } from "./cast.ts";
import { chances, pick } from "./chance.ts";
import { openMind, type Mind } from "./opinions.ts";
import { pagesOf, planAnswer, showsNothing, whereAsked, type AnswerPlan, type PlannedPage } from "./plan.ts";
import type { World } from "./world-file.ts";
import type { Said, WorldClaim } from "./world-opinions.ts";

export interface Portrait {
  member: CastMember;
  label: "picked" | "discouraged" | null;
  pros: readonly Said[];
  cons: readonly Said[];
  /** `words` describe the attribute. Scores are -4 to 4, never -1 to 1. */
  scores: readonly { words: string; score: number }[];
  aspects: readonly { aspect: string; isBetter: boolean; than: CastMember }[];
  claims: readonly { claim: WorldClaim; page: PlannedPage }[];
}

/** Ground truth of an answer, planned before its text. */
export interface BrandAnswerPlan extends AnswerPlan {
  /** Result pages and empty answers have no portraits. */
  layout: "paragraphs" | "listed" | "headed" | "declined";
  knows: Mind["knows"];
  unknown: CastMember | null;
  takenFor: CastMember | null;
  portraits: readonly Portrait[];
  verdict: { member: CastMember; stance: "winner" | "recommended" | "discouraged"; over: CastMember | null } | null;
}

const CITED = 0.4;
const IN_PASSING = 0.3;
const CONSIDERED = 0.5;
const DRAWN = 0.15;
const TAKEN_FOR_ANOTHER = 0.5;

const MOST_ASPECTS = 2;

type Random = () => number;

interface Thought {
  member: CastMember;
  of: Mind;
}

const NOTHING = { unknown: null, takenFor: null, portraits: [], verdict: null, knows: "well" } as const;

/** Deterministic per world, prompt and catalog. */
export function planBrandAnswer(world: World, question: Question, asked: AskedPrompt): BrandAnswerPlan {
  const mind = openMind(world, question);
  if (asked.kind === "unaided" || listsResults(question.source) || showsNothing(world, question)) {
    const listing = planAnswer(world, question);
    if (listing.style === "results") return { ...listing, ...NOTHING, layout: "listed" };
    const portraits = listing.listed.map(({ member }, at) => inList({ member, of: mind.of(member) }, question, at));
    return { ...listing, ...NOTHING, layout: "listed", portraits };
  }
  const { source, prompt, run, collectNumber } = question;
  const random = chances(world.seed, "brand answer", source, prompt, run, collectNumber, ...whereAsked(question));
  const minds = membersAsked(world, question, asked).map((member) => ({ member, of: mind.of(member) }));
  const strange = minds.find(({ of }) => of.knows !== "well");
  if (strange) return finished(declined(world, question, strange, random), []);
  const owners = minds.filter(({ member }) => member.domain !== null && random() < CITED);
  const from = owners.map(({ member }) => member);
  const pages = pagesOf(world, question, from, random);
  const [one, other] = random() < 0.5 ? minds : minds.toReversed();
  if (one && other) return finished(compared(question, mind, [one, other], random), pages);
  return finished(one ? described(world, question, { asked, about: one }, random) : {}, pages);
}

function declined(
  world: World,
  { brands }: Question,
  { member, of: { knows } }: Thought,
  random: Random,
): Partial<BrandAnswerPlan> {
  const others = castOf(world, brands).members.filter(({ name }) => name !== member.name);
  const isTaken = knows === "confused" && others.length > 0 && random() < TAKEN_FOR_ANOTHER;
  return { layout: "declined", knows, unknown: member, takenFor: isTaken ? pick(others, random) : null };
}

function compared(
  question: Question,
  { aspectsOf, prefers }: ReturnType<typeof openMind>,
  [one, other]: readonly [Thought, Thought],
  random: Random,
): Partial<BrandAnswerPlan> {
  const pair = [one.member, other.member] as const;
  const aspects = aspectsOf(pair)
    .filter((aspect) => isOther(`${aspect} ${other.member.name}`, question))
    .map((aspect) => ({ aspect, isBetter: prefers(pair, aspect), than: other.member }));
  const first = { ...portrait(one, question, [1, 1]), aspects: aspects.slice(0, MOST_ASPECTS) };
  const [best, worse] = prefers(pair, null) ? [one, other] : [other, one];
  const verdict = { member: best.member, stance: "winner" as const, over: worse.member };
  return { portraits: [first, portrait(other, question, [1, 1])], verdict: random() < DRAWN ? null : verdict };
}

function described(
  world: World,
  question: Question,
  { asked, about }: { asked: AskedPrompt; about: Thought },
  random: Random,
): Partial<BrandAnswerPlan> {
  const own = portrait(about, question, asked.kind === "perception" ? [3, 2] : [2, 1]);
  const claims = about.of.claims.flatMap((claim) => {
    const page = pageOf(world, about.member, claim);
    return page ? [{ claim, page }] : [];
  });
  const isHeaded = asked.asksProsCons && own.pros.length + own.cons.length > 0;
  const scores = isHeaded ? [] : scoresOf(about.of, question, asked, random);
  const portraits = [{ ...own, scores, claims }];
  const verdict = asked.kind === "aided" ? null : verdictOn(about, own, random);
  return { layout: isHeaded ? "headed" : "paragraphs", portraits, verdict };
}

/** The own brand first. Includes brands that no answer names on its own. */
function membersAsked(world: World, { brands }: Question, { brandId, otherBrandId, lookAlike }: AskedPrompt) {
  if (lookAlike !== null) return [{ name: lookAlike, domain: null, world: null, tracked: null }];
  const { members } = castOf(world, brands);
  return [brandId, otherBrandId].flatMap((id): CastMember[] => {
    const tracked = brands.find((brand) => brand.id === id);
    if (!tracked) return [];
    const known = members.find((member) => member.tracked === tracked);
    return [known ?? { name: tracked.name, domain: tracked.domains[0] ?? null, world: null, tracked }];
  });
}

function inList({ member, of }: Thought, question: Question, at: number): Portrait {
  const label = at === 0 && of.isPicked ? "picked" : at > 0 && of.isDiscouraged ? "discouraged" : null;
  return { ...portrait({ member, of }, question, [2, 1]), label };
}

function portrait({ member, of }: Thought, question: Question, [pros, cons]: readonly [number, number]): Portrait {
  const others = (said: readonly Said[]) => said.filter(({ say }) => isOther(say, question));
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
function isOther(words: string, question: Question): boolean {
  return attributesIn(question).every((attribute) => !speaksOfAttribute(words, attribute));
}

export function attributesIn({ asked, attributes = [] }: Question): string[] {
  return [...new Set(asked?.attribute ? [asked.attribute, ...attributes] : attributes)];
}

function scoresOf(of: Mind, question: Question, { kind, attribute: own }: AskedPrompt, random: Random) {
  if (kind === "aided") return [];
  return attributesIn(question).flatMap((attribute) => {
    const isSaid = attribute === own || random() < IN_PASSING;
    const words = spokenOf(attribute);
    const score = Math.round(of.scoreOf(attribute));
    if (!isSaid || words === null || score === 0) return [];
    return [{ words, score: Math.sign(score) * Math.min(4, Math.max(2, Math.abs(score))) }];
  });
}

/** The first words of an attribute that can be a sentence's subject; null if there are none. */
function spokenOf(attribute: string): string | null {
  const parts = attribute.split(/[^\p{L}\p{N} '’-]+|\s(?:and|with|plus|but|or|versus|vs)\s/iu);
  const plain = parts.map((part) => part.trim()).find((part) => part !== "" && speaksOfAttribute(part, attribute));
  return plain ?? null;
}

function verdictOn({ member, of }: Thought, { pros, cons }: Portrait, random: Random): BrandAnswerPlan["verdict"] {
  const isConsidered = random() < CONSIDERED && pros.length >= cons.length;
  const stance = of.isDiscouraged ? "discouraged" : of.isPicked ? "winner" : isConsidered ? "recommended" : null;
  return stance === null ? null : { member, stance, over: null };
}

/** Deterministic. Undefined if the brand has no site and the claim names no other. */
function pageOf(world: World, member: CastMember, { attribute, site: domain }: WorldClaim): PlannedPage | undefined {
  const path = attribute.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const site = world.sites.find((one) => one.domain === domain) ?? null;
  if (site) {
    const about = member.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    return { url: `https://${site.domain}${site.path}/${about}-${path}`, title: site.title, member: null, site };
  }
  if (member.domain === null) return undefined;
  return { url: `https://www.${member.domain}/facts/${path}`, title: `${member.name} – facts`, member, site: null };
}

function finished(part: Partial<BrandAnswerPlan>, pages: readonly PlannedPage[]): BrandAnswerPlan {
  const plan = { ...NOTHING, layout: "paragraphs" as const, ...part };
  const claimed = plan.portraits.flatMap(({ claims }) => claims.map(({ page }) => page));
  const counts = new Map<CastMember, number>();
  const names = (member: CastMember | null | undefined) => {
    if (member) counts.set(member, (counts.get(member) ?? 0) + 1);
  };
  // "I'm not familiar with it" names no brand.
  if (plan.knows === "unsure" || (plan.knows === "confused" && !plan.takenFor)) names(plan.unknown);
  names(plan.takenFor);
  for (const { member, aspects } of plan.portraits) {
    names(member);
    if (plan.layout === "headed") names(member);
    for (const { than } of aspects) names(than);
  }
  names(plan.verdict?.member);
  names(plan.verdict?.over);
  const listed = [...counts].map(([member, mentions]) => ({ member, mentions }));
  return { ...plan, style: "prose", pages: [...pages, ...claimed], listed, aside: [] };
}

/** Describes the category without words that extraction could read as opinion or name. */
export function plainCategory(world: World, { category = "", brands }: Question): string | null {
  const judges = [WINNER, RECOMMENDED, DISCOURAGED].some((words) => words.test(category));
  const isPlain = /^[\p{L}\p{N}' -]+$/u.test(category) && !judges && polarityOf(category, true).score === 0;
  return isPlain && namedIn(category, castOf(world, brands)).size === 0 ? category : null;
}
