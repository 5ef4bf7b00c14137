import type { TrackedBrand } from "../../../core/reading/capture.ts";
import { listsResults } from "../../../core/sources.ts";
import type { Question } from "./provider.ts";
import { chance, chances, pick } from "./simulated-chance.ts";
import type { World, WorldBrand } from "./world-file.ts";

/** A brand that answers can name: from the world, from the workspace's catalog, or both. */
export interface CastMember {
  name: string;
  domain: string | null;
  world: WorldBrand | null;
  tracked: TrackedBrand | null;
}

/** A brand in an answer. `mentions` counts every time it is named, the first one included. */
export interface Appearance {
  member: CastMember;
  mentions: number;
}

/** A page that an answer cites or that a result page lists. */
export interface PlannedPage {
  url: string;
  title: string;
  member: CastMember | null;
  site: World["sites"][number] | null;
}

const STYLES = ["prose", "numbered", "bulleted", "table"] as const;

/** What an answer will say, before it is written: the truth that measuring it must find again. */
export interface AnswerPlan {
  style: (typeof STYLES)[number] | "results" | "absent";
  /** Best first: items of the list, or the order of first mention in prose. */
  listed: Appearance[];
  /** Named after the list only. */
  aside: Appearance[];
  pages: PlannedPage[];
}

const MOST_BRANDS = 7;
const MOST_RESULTS = 10;

/** Plans the answer to a question. The same world, question and catalog give the same plan. */
export function planAnswer(world: World, question: Question): AnswerPlan {
  const { seed } = world;
  const { source, prompt, run, collectNumber } = question;
  const nothing: AnswerPlan = { style: "absent", listed: [], aside: [], pages: [] };
  if (chance(seed, "absent", source, prompt) < (world.absent[source] ?? 0)) return nothing;
  const random = chances(seed, "answer", source, prompt, run, collectNumber);
  const present = castOf(world, question.brands)
    .map((member) => ({ member, strength: strengthOf(world, member, question) }))
    .filter(({ strength }) => random() < strength)
    .map(({ member, strength }) => ({ member, place: strength + 0.35 * random() }))
    .toSorted((a, b) => b.place - a.place)
    .slice(0, MOST_BRANDS)
    .map(({ member }) => member);
  if (listsResults(source)) {
    const owners = present.filter((member) => member.domain !== null);
    return { ...nothing, style: "results", pages: pagesOf(world, question, owners, random) };
  }
  const listed = present.map((member) => ({ member, mentions: 1 + Math.floor(random() ** 3 * 3) }));
  const style = styleOf(listed, random);
  const aside = style !== "prose" && listed.length > 3 && random() < 0.3 ? listed.splice(-1) : [];
  const cited = present.filter((member) => member.domain !== null && random() < 0.4);
  return { style, listed, aside, pages: pagesOf(world, question, cited, random).slice(0, 6) };
}

function styleOf(listed: Appearance[], random: () => number): AnswerPlan["style"] {
  const style = listed.length < 2 ? "prose" : pick(STYLES, random);
  const splitsCells = listed.some(({ member }) => member.name.includes("|"));
  return style === "table" && splitsCells ? "bulleted" : style;
}

/** One cast for each world and catalog: putting it together costs more than an answer where there are many brands. */
const casts = new WeakMap<World, WeakMap<readonly TrackedBrand[], CastMember[]>>();

function castOf(world: World, brands: readonly TrackedBrand[]): CastMember[] {
  let ofWorld = casts.get(world);
  if (!ofWorld) casts.set(world, (ofWorld = new WeakMap()));
  let cast = ofWorld.get(brands);
  if (!cast) ofWorld.set(brands, (cast = makeCast(world, brands)));
  return cast;
}

/**
 * The brands that can be named. A catalog that shares no brand with the world is about something else, so the world's brands stay
 * out of its answers; sub-brands and products of the catalog that are not in the world are never named.
 */
function makeCast(world: World, brands: readonly TrackedBrand[]): CastMember[] {
  const inWorld = new Map(world.brands.map((brand) => [fold(brand.name), brand]));
  const tracked = brands
    .filter((brand) => (brand.kind === "brand" && brand.parent_id === null) || inWorld.has(fold(brand.name)))
    .map((brand): CastMember => {
      const { name, domains } = brand;
      return { name, domain: domains[0] ?? null, world: inWorld.get(fold(name)) ?? null, tracked: brand };
    });
  if (tracked.length > 0 && tracked.every((member) => member.world === null)) return tracked;
  const known = new Set(tracked.map((member) => fold(member.name)));
  const others = world.brands
    .filter((brand) => !known.has(fold(brand.name)))
    .map((brand): CastMember => ({ name: brand.name, domain: brand.domain ?? null, world: brand, tracked: null }));
  return [...tracked, ...others];
}

/** How likely a brand is in one answer: its strength here, moved by time and by the keyword. */
function strengthOf(world: World, { name, world: known }: CastMember, question: Question): number {
  const { seed, drift } = world;
  const { topic, source, collectNumber, prompt } = question;
  if (fold(prompt).includes(fold(name))) return 0.97;
  const strength = known
    ? (known.topics[topic] ?? known.strength)
    : 0.2 + 0.5 * chance(seed, "strength", name) + 0.2 * (chance(seed, "topic", name, topic) - 0.5);
  const factor = known?.channels[source] ?? 0.85 + 0.3 * chance(seed, "channel", name, source);
  let moved = (known?.trend ?? 0) * (collectNumber - 1);
  for (let collect = 2; collect <= collectNumber; collect++) {
    moved += 2 * drift * (chance(seed, "drift", name, collect) - 0.5);
  }
  const keyword = 0.3 * (chance(seed, "keyword", name, prompt) - 0.5);
  return Math.min(0.97, Math.max(0.02, strength * factor + moved + keyword));
}

/** Pages of `owners` in their order, with pages of other sites in between: each site once. */
function pagesOf(world: World, question: Question, owners: CastMember[], random: () => number): PlannedPage[] {
  const about = chance(world.seed, "page", question.prompt).toString(36).slice(2, 8);
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
  return pages.slice(0, MOST_RESULTS);
}

export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
