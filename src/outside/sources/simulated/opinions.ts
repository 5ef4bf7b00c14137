import type { Question } from "../provider.ts";
import type { CastMember } from "./cast.ts";
import { toProbability, fastChance, normalDeviate, mixBits, openLogitTable, createSeed } from "./chance.ts";
import type { SimulatedWorld } from "./world-file.ts";
import type { OpinionPhrase, OpinionShift, WorldClaim } from "./world-opinions.ts";

/** Between prompts, on the logit scale. */
const OPINION_SPREAD = 0.75;
const DEFAULT_CREDULITY = 0.04;
/** Deviation of scores between prompts, and between answers to one prompt. */
const [PROMPT_DEVIATION, ANSWER_DEVIATION] = [0.8, 1.2];
const COMPARED_SHARE = 0.4;
const DEFAULT_HEADS = { pros: 5, cons: 4 };
const DEFAULT_ASPECTS = ["setup", "service", "finish", "delivery"];

const toPhrases = (phrases: Readonly<Record<string, string>>): OpinionPhrase[] =>
  Object.entries(phrases).map(([head, say]) => ({ say, head, likely: 0, shifts: [] }));

/** Phrases that fit any product. */
const DEFAULT_PROS = toPhrases({
  setup: "a simple setup",
  delivery: "fast delivery",
  advice: "helpful advice",
  build: "a solid build",
  look: "a modern look",
  layout: "an intuitive layout",
  policy: "a generous return policy",
  result: "consistent results",
  name: "a trusted name",
  packaging: "thoughtful packaging",
});
const DEFAULT_CONS = toPhrases({
  reply: "slow replies",
  stock: "limited stock",
  look: "a dated look",
  extra: "expensive extras",
  checkout: "a complicated checkout",
  packaging: "poor packaging",
  return: "tricky returns",
  manual: "a confusing manual",
  documentation: "weak documentation",
});

/** Deterministic per prompt: all draws come from the seed. */
export interface SimulatedOpinions {
  knows: "well" | "unsure" | "confused" | "not";
  pros: OpinionPhrase[];
  cons: OpinionPhrase[];
  /** From -4 to 4; 0 is no opinion. */
  scoreOf: (attribute: string) => number;
  isPicked: boolean;
  isDiscouraged: boolean;
  claims: WorldClaim[];
}

let logitLookup: ((share: number) => number) | undefined;

const seedsByKey = new Map<string, number>();
const MAX_CACHED_SEEDS = 2_000;

function getCachedSeed(...parts: string[]): number {
  const key = JSON.stringify(parts);
  const cached = seedsByKey.get(key);
  if (cached !== undefined) return cached;
  if (seedsByKey.size >= MAX_CACHED_SEEDS) seedsByKey.clear();
  const seed = createSeed(...parts);
  seedsByKey.set(key, seed);
  return seed;
}

interface DrawContext {
  world: SimulatedWorld;
  question: Question;
  onPrompt: number;
  inAnswer: number;
  /** True in this share of the answers, drawn by a separate seed. */
  drawChance: (seed: number, share: number, shifts?: readonly OpinionShift[]) => boolean;
}

export function openSimulatedOpinions(world: SimulatedWorld, question: Question) {
  const { prompt, source, run, collectNumber, country, persona } = question;
  const onPrompt = createSeed(world.seed, "opinions", prompt);
  const inAnswer = createSeed(world.seed, "opinion", source, prompt, run, collectNumber, country, persona ?? "");
  logitLookup ??= openLogitTable(OPINION_SPREAD);
  const centre = logitLookup;
  const drawChance: DrawContext["drawChance"] = (seed, share, shifts = []) => {
    const logit = centre(applyShifts(share, shifts, question)) + OPINION_SPREAD * normalDeviate(seed, onPrompt);
    return fastChance(seed, inAnswer) < toProbability(logit);
  };
  const drawing = { world, question, onPrompt, inAnswer, drawChance };
  return {
    of: (member: CastMember) => drawMind(member, drawing),
    /** A null aspect compares the brands as a whole. */
    prefers: (pair: readonly [CastMember, CastMember], aspect: string | null) =>
      isFirstPreferred(pair, aspect, drawing),
    aspectsOf: (pair: readonly [CastMember, CastMember]) => {
      const own = pair.flatMap(({ world: known }) => Object.keys(known?.opinions?.aspects ?? {}));
      const aspects = [...new Set(own.length > 0 ? own : DEFAULT_ASPECTS)];
      return aspects.filter((aspect) => drawChance(getCachedSeed("compares", aspect), COMPARED_SHARE));
    },
  };
}

function drawMind(member: CastMember, drawing: DrawContext): SimulatedOpinions {
  const { world, question, onPrompt, inAnswer, drawChance } = drawing;
  const brand = getCachedSeed(world.seed, "opinions of", member.name);
  const seed = (what: string) => mixBits(brand ^ getCachedSeed(world.seed, what));
  const opinions = member.world?.opinions;
  const isHeld = ({ say, likely, shifts }: OpinionPhrase) => drawChance(seed(say), likely, shifts);
  const [picked, discouraged] = [seed("picked"), seed("discouraged")];
  return {
    knows: drawKnowledge(member, brand, drawing),
    pros: (opinions?.pros ?? drawPhrases(DEFAULT_PROS, brand, DEFAULT_HEADS.pros, [0.15, 0.5])).filter(isHeld),
    cons: (opinions?.cons ?? drawPhrases(DEFAULT_CONS, brand, DEFAULT_HEADS.cons, [0.08, 0.3])).filter(isHeld),
    scoreOf: (attribute) => {
      const mean = opinions?.scores[attribute] ?? 4.5 * fastChance(brand, getCachedSeed("score", attribute)) - 1;
      const own = seed(attribute);
      return mean + PROMPT_DEVIATION * normalDeviate(own, onPrompt) + ANSWER_DEVIATION * normalDeviate(own, inAnswer);
    },
    isPicked: drawChance(picked, opinions?.picked ?? 0.1 + 0.2 * fastChance(brand, picked)),
    isDiscouraged: drawChance(discouraged, opinions?.discouraged ?? 0.02 + 0.08 * fastChance(brand, discouraged)),
    claims: drawClaims(opinions?.claims ?? [], question, (attribute) => fastChance(seed(attribute), mixBits(inAnswer))),
  };
}

function isFirstPreferred(
  pair: readonly [CastMember, CastMember],
  aspect: string | null,
  { world, inAnswer }: DrawContext,
) {
  const seeds = pair.map(({ name }) => getCachedSeed(world.seed, "opinions of", name));
  const [strength = 0, rival = 0] = pair.map(({ world: known }, at) => {
    const opinions = known?.opinions;
    const brand = seeds[at] ?? 0;
    if (aspect !== null) return opinions?.aspects[aspect] ?? normalDeviate(brand, getCachedSeed("aspect", aspect));
    return (
      (opinions?.appeal ?? normalDeviate(brand, getCachedSeed("appeal"))) +
      (opinions?.against[pair[1 - at]?.name ?? ""] ?? 0)
    );
  });
  // Symmetric: the preferred brand does not depend on the order.
  const [one, other] = pair;
  const at = fastChance(mixBits(seeds.reduce((a, b) => a ^ b)) ^ getCachedSeed("prefers", aspect ?? ""), inAnswer);
  return (one.name > other.name ? 1 - at : at) < toProbability(strength - rival);
}

function drawKnowledge(
  member: CastMember,
  brand: number,
  { world, question: { source, asked }, drawChance }: DrawContext,
): SimulatedOpinions["knows"] {
  const known = member.world?.opinions?.known;
  const isInvented = asked?.lookAlike === member.name;
  const share = isInvented
    ? (world.credulity[source] ?? DEFAULT_CREDULITY)
    : (known?.likely ?? 0.7 + 0.28 * fastChance(brand, getCachedSeed("known")));
  if (drawChance(mixBits(brand ^ 1), Math.min(1, share * (known?.channels[source] ?? 1)), known?.shifts)) return "well";
  if (drawChance(mixBits(brand ^ 2), known?.confused ?? 0.2)) return "confused";
  return drawChance(mixBits(brand ^ 3), 0.3) ? "unsure" : "not";
}

function drawPhrases(
  phrases: readonly OpinionPhrase[],
  brand: number,
  most: number,
  [least, greatest]: readonly [number, number],
) {
  return phrases
    .map((one) => ({ one, at: fastChance(brand, getCachedSeed(one.say)) }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => ({
      ...one,
      likely: least + (greatest - least) * fastChance(mixBits(brand), getCachedSeed(one.say)),
    }));
}

/** At most one per attribute. */
function drawClaims(claims: readonly WorldClaim[], question: Question, drawnOf: (attribute: string) => number) {
  const left = new Map<string, number>();
  return claims.filter(({ attribute, likely, shifts }) => {
    const rest = left.get(attribute) ?? drawnOf(attribute);
    const after = rest - applyShifts(likely, shifts, question);
    left.set(attribute, rest < 0 ? rest : after);
    return rest >= 0 && after < 0;
  });
}

function applyShifts(
  share: number,
  shifts: readonly OpinionShift[],
  { collectNumber, source, country, persona }: Question,
) {
  const gains = shifts
    .filter((one) => one.collect <= collectNumber && (one.source ?? source) === source)
    .filter((one) => (one.country ?? country) === country)
    .filter((one) => one.persona === undefined || persona?.startsWith(one.persona) === true);
  return Math.min(
    1,
    Math.max(
      0,
      gains.reduce((sum, { gain }) => sum + gain, share),
    ),
  );
}
