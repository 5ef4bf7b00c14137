import { buildAliasIndex, type AliasIndex, type AliasSource } from "../../../core/reading/alias-index.ts";
import type { TrackedBrand } from "../../../core/reading/capture.ts";
import { findAliases } from "../../../core/reading/find-aliases.ts";
import { foldText } from "../../../core/reading/text-folding.ts";
import type { Question } from "./provider.ts";
import { chanceOf, seedOf } from "./simulated-chance.ts";
import type { World, WorldBrand } from "./world-file.ts";

/** A brand that answers can name: from the world, from the workspace's catalog, or both. */
export interface CastMember {
  name: string;
  domain: string | null;
  world: WorldBrand | null;
  tracked: TrackedBrand | null;
}

/** The brands that the answers of a world can name for one catalog, with what does not depend on the question. */
export interface Cast {
  members: readonly CastMember[];
  /** Names of members, and of all other brands of the catalog. */
  names: AliasIndex;
  /** One number per member, which all its chances are drawn from. */
  seeds: Int32Array;
  /** Strengths by topic, source and collect, as the members are ordered. */
  strengths: Map<string, Float64Array>;
}

/** Of an answer's brands, how likely each is named at most, and how likely a brand that the question names is. */
const MOST_LIKELY = 0.97;
const LEAST_LIKELY = 0.02;
/** Topics, sources and collects whose strengths are kept: questions come in their order. */
const MOST_KEPT = 64;

/** One cast for each world and catalog: putting it together costs more than an answer where there are many brands. */
const casts = new WeakMap<World, WeakMap<readonly TrackedBrand[], Cast>>();

export function castOf(world: World, brands: readonly TrackedBrand[]): Cast {
  let ofWorld = casts.get(world);
  if (!ofWorld) casts.set(world, (ofWorld = new WeakMap()));
  let cast = ofWorld.get(brands);
  if (!cast) ofWorld.set(brands, (cast = makeCast(world, brands)));
  return cast;
}

function makeCast(world: World, brands: readonly TrackedBrand[]): Cast {
  const members = membersOf(world, brands);
  const seeds = Int32Array.from(members, ({ name }) => seedOf(world.seed, "brand", name));
  return { members, names: namesOf(members, brands), seeds, strengths: new Map() };
}

/**
 * The brands that can be named. A catalog that shares no brand with the world is about something else, so the world's brands stay
 * out of its answers; sub-brands and products of the catalog that are not in the world are never named.
 */
function membersOf(world: World, brands: readonly TrackedBrand[]): CastMember[] {
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

/** Names stand for their place among the members; those of other brands of the catalog for none. */
function namesOf(members: readonly CastMember[], brands: readonly TrackedBrand[]): AliasIndex {
  const places = new Map(members.map(({ tracked }, place) => [tracked, place]));
  const sources = members.map(({ name }, brand): AliasSource => ({ brand, text: name, caseSensitive: false }));
  for (const tracked of brands) {
    const brand = places.get(tracked) ?? -1;
    const texts = [...(brand === -1 ? [tracked.name] : []), ...tracked.aliases.map(({ text }) => text)];
    for (const text of texts) sources.push({ brand, text, caseSensitive: false });
  }
  return buildAliasIndex(sources);
}

/** The places of the members whose names stand in a text; -1 for a brand that is none. */
export function namedIn(text: string, { names }: Cast): Set<number> {
  const named = new Set<number>();
  // Each candidate is noted and none is taken, so that a name within another one counts too.
  findAliases(foldText(text), names, [], ({ walk }) => {
    named.add(walk.brand);
    return false;
  });
  return named;
}

/** How likely each member is in an answer to a question: its strength here and now, moved by the keyword. */
export function openStrengths(world: World, cast: Cast, question: Question): (place: number) => number {
  const strengths = strengthsOf(world, cast, question);
  const named = namedIn(question.prompt, cast);
  const keyword = seedOf(world.seed, "keyword", question.prompt);
  return (place) => {
    if (named.has(place)) return MOST_LIKELY;
    const moved = 0.3 * (chanceOf(keyword, cast.seeds[place] ?? 0) - 0.5);
    return Math.min(MOST_LIKELY, Math.max(LEAST_LIKELY, (strengths[place] ?? 0) + moved));
  };
}

/** Strengths of a topic at a source in a collect, moved by time. */
function strengthsOf(world: World, cast: Cast, { topic, source, collectNumber }: Question): Float64Array {
  const key = JSON.stringify([topic, source, collectNumber]);
  const kept = cast.strengths.get(key);
  if (kept) return kept;
  const seed = (...parts: (string | number)[]) => seedOf(world.seed, ...parts);
  const seeds = { strength: seed("strength"), topic: seed("topic", topic), channel: seed("channel", source) };
  const drifts = Array.from({ length: collectNumber - 1 }, (_, before) => seed("drift", before + 2));
  const strengths = Float64Array.from(cast.members, ({ world: known }, place) => {
    const own = cast.seeds[place] ?? 0;
    const strength = known
      ? (known.topics[topic] ?? known.strength)
      : 0.2 + 0.5 * chanceOf(own, seeds.strength) + 0.2 * (chanceOf(own, seeds.topic) - 0.5);
    const factor = known?.channels[source] ?? 0.85 + 0.3 * chanceOf(own, seeds.channel);
    let moved = (known?.trend ?? 0) * (collectNumber - 1);
    for (const drift of drifts) moved += 2 * world.drift * (chanceOf(own, drift) - 0.5);
    return strength * factor + moved;
  });
  const [oldest] = cast.strengths.keys();
  if (cast.strengths.size >= MOST_KEPT && oldest !== undefined) cast.strengths.delete(oldest);
  cast.strengths.set(key, strengths);
  return strengths;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
