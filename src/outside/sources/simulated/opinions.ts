import type { Question } from "../provider.ts";
import type { CastMember } from "./cast.ts";
import { chanceAt, chanceOf, deviateOf, mixed, openCentres, seedOf } from "./chance.ts";
import type { World } from "./world-file.ts";
import type { Said, Shift, WorldClaim } from "./world-opinions.ts";

/** Deviation between prompts in the topics they raise, on the logit scale. */
const SPREAD = 0.75;
const CREDULITY = 0.04;
/** Deviation of scores between prompts, and between answers to one prompt. */
const [PROMPT_DEVIATION, ANSWER_DEVIATION] = [0.8, 1.2];
const COMPARED = 0.4;
const DEFAULT_HEADS = { pros: 5, cons: 4 };
/** For pairs in which neither brand has aspects. */
const DEFAULT_ASPECTS = ["setup", "service", "finish", "delivery"];

const said = (phrases: Readonly<Record<string, string>>): Said[] =>
  Object.entries(phrases).map(([head, say]) => ({ say, head, likely: 0, shifts: [] }));

/** For brands without opinions in the world; fits any product. */
const PROS = said({
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
const CONS = said({
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
export interface Mind {
  knows: "well" | "unsure" | "confused" | "not";
  pros: Said[];
  cons: Said[];
  /** From -4 to 4; 0 is no opinion. */
  scoreOf: (attribute: string) => number;
  isPicked: boolean;
  isDiscouraged: boolean;
  claims: WorldClaim[];
}

let centreOf: ((share: number) => number) | undefined;

/** Cached draws by the world's seed: phrases and attributes are few. */
const keptSeeds = new Map<string, number>();
const MOST_SEEDS = 2_000;

function seedFor(...parts: string[]): number {
  const key = JSON.stringify(parts);
  const kept = keptSeeds.get(key);
  if (kept !== undefined) return kept;
  if (keptSeeds.size >= MOST_SEEDS) keptSeeds.clear();
  const seed = seedOf(...parts);
  keptSeeds.set(key, seed);
  return seed;
}

interface Drawing {
  world: World;
  question: Question;
  onPrompt: number;
  inAnswer: number;
  /** True in this share of the answers, by a separate seed. */
  happens: (seed: number, share: number, shifts?: readonly Shift[]) => boolean;
}

export function openMind(world: World, question: Question) {
  const { prompt, source, run, collectNumber, country, persona } = question;
  const onPrompt = seedOf(world.seed, "opinions", prompt);
  const inAnswer = seedOf(world.seed, "opinion", source, prompt, run, collectNumber, country, persona ?? "");
  centreOf ??= openCentres(SPREAD);
  const centre = centreOf;
  const happens: Drawing["happens"] = (seed, share, shifts = []) => {
    const logit = centre(shifted(share, shifts, question)) + SPREAD * deviateOf(seed, onPrompt);
    return chanceOf(seed, inAnswer) < chanceAt(logit);
  };
  const drawing = { world, question, onPrompt, inAnswer, happens };
  return {
    of: (member: CastMember) => mindOf(member, drawing),
    /** A null aspect compares the brands as a whole. */
    prefers: (pair: readonly [CastMember, CastMember], aspect: string | null) => prefers(pair, aspect, drawing),
    aspectsOf: (pair: readonly [CastMember, CastMember]) => {
      const own = pair.flatMap(({ world: known }) => Object.keys(known?.opinions?.aspects ?? {}));
      const aspects = [...new Set(own.length > 0 ? own : DEFAULT_ASPECTS)];
      return aspects.filter((aspect) => happens(seedFor("compares", aspect), COMPARED));
    },
  };
}

function mindOf(member: CastMember, drawing: Drawing): Mind {
  const { world, question, onPrompt, inAnswer, happens } = drawing;
  const brand = seedFor(world.seed, "opinions of", member.name);
  const seed = (what: string) => mixed(brand ^ seedFor(world.seed, what));
  const opinions = member.world?.opinions;
  const isHeld = ({ say, likely, shifts }: Said) => happens(seed(say), likely, shifts);
  const [picked, discouraged] = [seed("picked"), seed("discouraged")];
  return {
    knows: knowing(member, brand, drawing),
    pros: (opinions?.pros ?? drawn(PROS, brand, DEFAULT_HEADS.pros, [0.15, 0.5])).filter(isHeld),
    cons: (opinions?.cons ?? drawn(CONS, brand, DEFAULT_HEADS.cons, [0.08, 0.3])).filter(isHeld),
    scoreOf: (attribute) => {
      const mean = opinions?.scores[attribute] ?? 4.5 * chanceOf(brand, seedFor("score", attribute)) - 1;
      const own = seed(attribute);
      return mean + PROMPT_DEVIATION * deviateOf(own, onPrompt) + ANSWER_DEVIATION * deviateOf(own, inAnswer);
    },
    isPicked: happens(picked, opinions?.picked ?? 0.1 + 0.2 * chanceOf(brand, picked)),
    isDiscouraged: happens(discouraged, opinions?.discouraged ?? 0.02 + 0.08 * chanceOf(brand, discouraged)),
    claims: claimsOf(opinions?.claims ?? [], question, (attribute) => chanceOf(seed(attribute), mixed(inAnswer))),
  };
}

function prefers(
  pair: readonly [CastMember, CastMember],
  aspect: string | null,
  { world, inAnswer }: Drawing,
): boolean {
  const seeds = pair.map(({ name }) => seedFor(world.seed, "opinions of", name));
  const [own = 0, rival = 0] = pair.map(({ world: known }, at) => {
    const opinions = known?.opinions;
    const brand = seeds[at] ?? 0;
    if (aspect !== null) return opinions?.aspects[aspect] ?? deviateOf(brand, seedFor("aspect", aspect));
    return (
      (opinions?.appeal ?? deviateOf(brand, seedFor("appeal"))) + (opinions?.against[pair[1 - at]?.name ?? ""] ?? 0)
    );
  });
  // Symmetric: the preferred brand does not depend on the order.
  const [one, other] = pair;
  const at = chanceOf(mixed(seeds.reduce((a, b) => a ^ b)) ^ seedFor("prefers", aspect ?? ""), inAnswer);
  return (one.name > other.name ? 1 - at : at) < chanceAt(own - rival);
}

function knowing(
  member: CastMember,
  brand: number,
  { world, question: { source, asked }, happens }: Drawing,
): Mind["knows"] {
  const known = member.world?.opinions?.known;
  const isInvented = asked?.lookAlike === member.name;
  const share = isInvented
    ? (world.credulity[source] ?? CREDULITY)
    : (known?.likely ?? 0.7 + 0.28 * chanceOf(brand, seedFor("known")));
  if (happens(mixed(brand ^ 1), Math.min(1, share * (known?.channels[source] ?? 1)), known?.shifts)) return "well";
  if (happens(mixed(brand ^ 2), known?.confused ?? 0.2)) return "confused";
  return happens(mixed(brand ^ 3), 0.3) ? "unsure" : "not";
}

function drawn(phrases: readonly Said[], brand: number, most: number, [least, greatest]: readonly [number, number]) {
  return phrases
    .map((one) => ({ one, at: chanceOf(brand, seedFor(one.say)) }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => ({
      ...one,
      likely: least + (greatest - least) * chanceOf(mixed(brand), seedFor(one.say)),
    }));
}

/** At most one claim per attribute. */
function claimsOf(
  claims: readonly WorldClaim[],
  question: Question,
  drawnOf: (attribute: string) => number,
): WorldClaim[] {
  const left = new Map<string, number>();
  return claims.filter(({ attribute, likely, shifts }) => {
    const rest = left.get(attribute) ?? drawnOf(attribute);
    const after = rest - shifted(likely, shifts, question);
    left.set(attribute, rest < 0 ? rest : after);
    return rest >= 0 && after < 0;
  });
}

function shifted(
  share: number,
  shifts: readonly Shift[],
  { collectNumber, source, country, persona }: Question,
): number {
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
