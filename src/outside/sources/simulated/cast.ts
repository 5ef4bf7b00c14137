import { buildAliasIndex, type AliasIndex, type AliasSource } from "../../../../core/reading/aliases/alias-index.ts";
import type { TrackedBrand } from "../../../../core/reading/capture.ts";
import { findAliases, type FoundAlias } from "../../../../core/reading/aliases/find-aliases.ts";
import { foldText } from "../../../../core/reading/aliases/text-folding.ts";
import type { Question } from "../provider.ts";
import { toProbability, fastChance, normalDeviate, openLogitTable, createSeed } from "./chance.ts";
import type { SimulatedWorld, WorldBrand } from "./world-file.ts";

export interface CastMember {
  name: string;
  domain: string | null;
  world: WorldBrand | null;
  tracked: TrackedBrand | null;
}

export interface BrandCast {
  members: readonly CastMember[];
  aliasIndex: AliasIndex;
  memberSeeds: Int32Array;
  /** Prompts vary around this logit so that a share of answers names a brand. */
  centreOf: (share: number) => number;
  /** Before prompt variation, by topic, source and collect, in member order. */
  logits: Map<string, Float64Array>;
}

const NAMED_PROBABILITY = 0.97;
/** Prompts arrive in order of topic, source and collect. */
const MAX_CACHED_LOGITS = 64;

/** For large catalogs, building a cast costs more than an answer. */
const castsByWorld = new WeakMap<SimulatedWorld, WeakMap<readonly TrackedBrand[], BrandCast>>();

export function getCast(world: SimulatedWorld, brands: readonly TrackedBrand[]): BrandCast {
  let ofWorld = castsByWorld.get(world);
  if (!ofWorld) castsByWorld.set(world, (ofWorld = new WeakMap()));
  let cast = ofWorld.get(brands);
  if (!cast) ofWorld.set(brands, (cast = makeCast(world, brands)));
  return cast;
}

function makeCast(world: SimulatedWorld, brands: readonly TrackedBrand[]): BrandCast {
  const members = listMembers(world, brands);
  const memberSeeds = Int32Array.from(members, ({ name }) => createSeed(world.seed, "brand", name));
  const centreOf = openLogitTable(Math.hypot(world.spread, world.shock, world.drift));
  return { members, aliasIndex: indexNames(members, brands), memberSeeds, centreOf, logits: new Map() };
}

/** World brands come first, independent of tracking; none if the catalog has no world brand. */
function listMembers(world: SimulatedWorld, brands: readonly TrackedBrand[]): CastMember[] {
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
  const order = new Map(world.brands.map((brand, place) => [brand, place]));
  const getRank = ({ world: brand }: CastMember) => (brand && order.get(brand)) ?? order.size;
  return [...tracked, ...others].toSorted((a, b) => getRank(a) - getRank(b));
}

/** Other brands of the catalog map to -1. */
function indexNames(members: readonly CastMember[], brands: readonly TrackedBrand[]): AliasIndex {
  const ranks = new Map(members.map(({ tracked }, place) => [tracked, place]));
  const sources = members.map(({ name }, brand): AliasSource => ({ brand, text: name, isCaseSensitive: false }));
  for (const tracked of brands) {
    const brand = ranks.get(tracked) ?? -1;
    const texts = [...(brand === -1 ? [tracked.name] : []), ...tracked.aliases.map(({ text }) => text)];
    for (const text of texts) sources.push({ brand, text, isCaseSensitive: false });
  }
  return buildAliasIndex(sources);
}

/** -1 stands for a brand that is no member. */
export function findNamedMembers(text: string, { aliasIndex }: BrandCast): Set<number> {
  const named = new Set<number>();
  // A name within another counts too.
  const accept = ({ walk }: FoundAlias) => {
    named.add(walk.brand);
    return false;
  };
  findAliases(foldText(text), aliasIndex, { masks: [], accept });
  return named;
}

/** Half of the variation between prompts, and between collects, is common to all sources. */
export function openChances(world: SimulatedWorld, cast: BrandCast, question: Question): (place: number) => number {
  const { prompt, source, collectNumber } = question;
  const logits = getLogits(world, cast, question);
  const members = findNamedMembers(prompt, cast);
  const noise = (what: "spread" | "shock", ...parts: (string | number)[]) => {
    return { seed: createSeed(world.seed, what, prompt, ...parts), logits: world[what] * Math.SQRT1_2 };
  };
  const noises = [
    noise("spread"),
    noise("spread", source),
    noise("shock", collectNumber),
    noise("shock", collectNumber, source),
  ];
  return (index) => {
    if (members.has(index)) return NAMED_PROBABILITY;
    const own = cast.memberSeeds[index] ?? 0;
    let logit = logits[index] ?? 0;
    for (const { seed, logits: deviation } of noises) logit += deviation * normalDeviate(own, seed);
    return toProbability(logit);
  };
}

function getLogits(world: SimulatedWorld, cast: BrandCast, question: Question): Float64Array {
  const { topic, source, collectNumber } = question;
  const key = JSON.stringify([topic, source, collectNumber]);
  const cachedLogits = cast.logits.get(key);
  if (cachedLogits) return cachedLogits;
  const strengthOf = openStrengths(world, question);
  const leanings = listShifts(world, question);
  const logits = Float64Array.from(cast.members, ({ world: known }, place) => {
    const own = cast.memberSeeds[place] ?? 0;
    let logit = cast.centreOf(strengthOf(known, own));
    for (const { seed, logits: deviation } of leanings) logit += deviation * normalDeviate(own, seed);
    return logit;
  });
  const [oldest] = cast.logits.keys();
  if (cast.logits.size >= MAX_CACHED_LOGITS && oldest !== undefined) cast.logits.delete(oldest);
  cast.logits.set(key, logits);
  return logits;
}

function openStrengths(world: SimulatedWorld, { topic, source, collectNumber }: Question) {
  const seed = (...parts: string[]) => createSeed(world.seed, ...parts);
  const seeds = { strength: seed("strength"), topic: seed("topic", topic), channel: seed("channel", source) };
  return (brand: WorldBrand | null, own: number): number => {
    if (!brand) {
      const strength = 0.2 + 0.5 * fastChance(own, seeds.strength) + 0.2 * (fastChance(own, seeds.topic) - 0.5);
      return strength * (0.85 + 0.3 * fastChance(own, seeds.channel));
    }
    let share = (brand.topics[topic] ?? brand.strength) * (brand.channels[source] ?? 1);
    share += brand.trend * (collectNumber - 1);
    for (const move of brand.moves) {
      if (move.collect <= collectNumber && (move.source ?? source) === source) share += move.gain;
    }
    return share;
  };
}

/** Common to a collect's answers from one source, including lasting effects of events. */
function listShifts({ seed, drift, drifts }: SimulatedWorld, { source, collectNumber }: Question) {
  const lasting = drifts.filter((one) => one.source === source && one.collect <= collectNumber);
  return [
    { seed: createSeed(seed, "drift", source, collectNumber), logits: drift },
    ...lasting.map(({ collect, logits }) => ({ seed: createSeed(seed, "drift since", source, collect), logits })),
  ];
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
