import { isResultPageSource } from "../../../../core/sources/sources.ts";
import type { Question } from "../provider.ts";
import { getCast, openChances, type CastMember } from "./cast.ts";
import { hashToChance, createRandom, pick } from "./chance.ts";
import type { SimulatedWorld } from "./world-file.ts";

/** `mentionCount` includes the first mention. */
export interface BrandAppearance {
  member: CastMember;
  mentionCount: number;
}

export interface PlannedPage {
  url: string;
  title: string;
  member: CastMember | null;
  site: SimulatedWorld["sites"][number] | null;
}

const ANSWER_STYLES = ["prose", "numbered", "bulleted", "table"] as const;

export interface AnswerPlan {
  style: (typeof ANSWER_STYLES)[number] | "results" | "absent";
  /** Best first: list items, or order of first mention in prose. */
  listed: BrandAppearance[];
  aside: BrandAppearance[];
  pages: PlannedPage[];
}

const MAX_BRANDS = 7;
const MAX_RESULTS = 10;

/** Deterministic per world, prompt and catalog. */
export function planAnswer(world: SimulatedWorld, question: Question): AnswerPlan {
  const { seed } = world;
  const { source, prompt, run, collectNumber } = question;
  const nothing: AnswerPlan = { style: "absent", listed: [], aside: [], pages: [] };
  if (isAnswerAbsent(world, question)) return nothing;
  const random = createRandom(seed, "answer", source, prompt, run, collectNumber, ...seedPlace(question));
  const present = drawBest(world, question, random);
  if (isResultPageSource(source)) {
    const owners = present.filter((member) => member.domain !== null);
    return { ...nothing, style: "results", pages: planPages(world, question, owners, random) };
  }
  const listed = present.map((member) => ({ member, mentionCount: 1 + Math.floor(random() ** 3 * 3) }));
  const style = drawStyle(listed, random);
  const aside = style !== "prose" && listed.length > 3 && random() < 0.3 ? listed.splice(-1) : [];
  const cited = present.filter((member) => member.domain !== null && random() < 0.4);
  return { style, listed, aside, pages: planPages(world, question, cited, random).slice(0, 6) };
}

export function seedPlace({ asked, country, persona }: Question): string[] {
  return asked === undefined ? [] : [country, persona ?? ""];
}

/** A source shows nothing for a prompt either always or never. */
export function isAnswerAbsent(world: SimulatedWorld, question: Question): boolean {
  return hashToChance(world.seed, "absent", question.source, question.prompt) < computeAbsentShare(world, question);
}

function computeAbsentShare({ absent, absences }: SimulatedWorld, { source, collectNumber }: Question): number {
  const begun = absences.filter((one) => one.source === source && one.collect <= collectNumber);
  return begun.toSorted((a, b) => b.collect - a.collect)[0]?.share ?? absent[source] ?? 0;
}

/** Best first. Takes nanoseconds per brand and allocates nothing. */
function drawBest(world: SimulatedWorld, question: Question, random: () => number): CastMember[] {
  const cast = getCast(world, question.brands);
  const chanceOf = openChances(world, cast, question);
  const best: { member: CastMember; score: number }[] = [];
  for (const [at, member] of cast.members.entries()) {
    const likely = chanceOf(at);
    if (random() >= likely) continue;
    const score = likely + 0.35 * random();
    const ahead = best.findLastIndex((one) => one.score >= score) + 1;
    if (ahead >= MAX_BRANDS) continue;
    best.splice(ahead, 0, { member, score });
    if (best.length > MAX_BRANDS) best.pop();
  }
  return best.map(({ member }) => member);
}

function drawStyle(listed: BrandAppearance[], random: () => number): AnswerPlan["style"] {
  const style = listed.length < 2 ? "prose" : pick(ANSWER_STYLES, random);
  const splitsCells = listed.some(({ member }) => member.name.includes("|"));
  return style === "table" && splitsCells ? "bulleted" : style;
}

export function planPages(
  world: SimulatedWorld,
  question: Question,
  owners: CastMember[],
  random: () => number,
): PlannedPage[] {
  const about = hashToChance(world.seed, "page", question.prompt).toString(36).slice(2, 8);
  const sites = world.sites
    .map((site) => ({ site, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, 2 + Math.floor(random() * 3))
    .map(({ site }): PlannedPage => {
      return { url: `https://${site.domain}${site.path}/${about}`, title: site.title, member: null, site };
    });
  const own = owners.map((member): PlannedPage => {
    return {
      url: `https://www.${member.domain}/range/${about}`,
      title: `${member.name} – the whole range`,
      member,
      site: null,
    };
  });
  const pages: PlannedPage[] = [];
  while (own.length + sites.length > 0) {
    const next = sites.length === 0 || (own.length > 0 && random() < 0.6) ? own.shift() : sites.shift();
    if (next) pages.push(next);
  }
  return pages.slice(0, MAX_RESULTS);
}
