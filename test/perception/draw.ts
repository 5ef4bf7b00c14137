import type { Mention } from "../../core/reading/capture.ts";
import type { CompiledCatalog } from "../../core/reading/catalog.ts";
import { findMentions } from "../../core/reading/find-mentions.ts";
import type { DeclaredFact } from "./facts.ts";
import { shortHash, type IdentifiedAnswer } from "./recorded.ts";
import type { ClaimUnit, ComparisonUnit, Part, ProsAndConsUnit, StanceUnit, Unit } from "./units.ts";
import { isCard, sentencesOf, windowOf, type Stretch } from "./windows.ts";

const SEED = "perception-1";

/**
 * Units of each stratum in each half. The strata only see to it that rare classes are drawn often
 * enough.
 */
const STANCES = { card: 14, winner: 22, caveat: 44, yardstick: 26, other: 34 };
const WINDOWS = { caveat: 40, praise: 26, other: 6 };
const SENTENCES = { comparative: 50, several: 8, alone: 12 };
const CLAIMS = { stated: 58, unstated: 17 };

const CAVEAT =
  /\b(?:but|however|although|though|less|lacks?|lag|limited|expensive|pricey|heavier|bulkier|not|isn.t|doesn.t|won.t|may|might|trade-?offs?|downsides?|cons|caveats?|drawbacks?|avoid|compromis\w*|sacrific\w*|struggle\w*|only)\b/i;
const WINNER =
  /\b(?:best overall|overall best|my (?:top )?pick|top pick|winner|i.d (?:lean|go|pick|choose)|if i (?:had|were))\b/i;
const COMPARATIVE =
  /\b(?:than|vs\.?|versus|compared (?:to|with)|beats?|outperform\w*|rivals?|behind|edges?|match(?:es)?|prefer\w*|surpass\w*|compete\w*|better|worse|ahead|superior|inferior|over)\b/i;
/** Rarer wordings of comparisons, all of which are included. */
const IN_OTHER_WORDS =
  /\b(?:as \w+ as|not (?:quite )?(?:at|on)|less|fewer|lower|higher|more|lag\w*|lighter|heavier|brighter|longer|shorter|cheaper|faster|slower|stronger|weaker|bigger|larger|smaller|wider|unlike|alternative|eclipse|trail\w*|lead\w*|most|edge|like|similar)\b/i;
const PRAISE = /\b(?:excellent|great|strong|good|solid|best|top|premium|impressive|outstanding|reliable)\b/i;

interface Candidate extends Stretch {
  answer: IdentifiedAnswer;
  brand: string;
  window: Stretch;
  stratum: string;
}

/** All units without labels; deterministic for answers, facts and catalog. */
export function drawUnits(
  answers: readonly IdentifiedAnswer[],
  facts: readonly DeclaredFact[],
  catalog: CompiledCatalog,
): Unit[] {
  const aside = heldOutAnswers(answers);
  return (["open", "held-out"] as const).flatMap((part) => {
    const own = answers.filter(({ id }) => aside.has(id) === (part === "held-out"));
    const mentions = own.flatMap((answer) => candidatesOf(answer, catalog));
    return [
      ...stanceUnits(mentions, part),
      ...windowUnits(mentions, part),
      ...sentenceUnits(mentions, part),
      ...claimUnits(own, facts, part),
    ];
  });
}

/** Half of each product's answers, so that both halves share subjects and no answers. */
function heldOutAnswers(answers: readonly IdentifiedAnswer[]): Set<string> {
  const products = [...new Set(answers.map(({ product }) => product))];
  const aside = products.flatMap((product) => {
    const own = answers.filter((answer) => answer.product === product);
    return shuffled(own, ({ id }) => id).slice(0, own.length / 2);
  });
  return new Set(aside.map(({ id }) => id));
}

/** Reproducible shuffle by hash. */
function shuffled<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, order: shortHash(`${SEED} ${nameOf(item)}`) }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
    .map(({ item }) => item);
}

/** Wanted number per stratum: two units per answer before any gives more. */
function take<T extends { answer: IdentifiedAnswer; stratum: string }>(
  candidates: readonly T[],
  wanted: Readonly<Record<string, number>>,
): T[] {
  return Object.entries(wanted).flatMap(([stratum, count]) => {
    const seen = new Map<string, number>();
    const turns = candidates
      .filter((candidate) => candidate.stratum === stratum)
      .map((candidate) => {
        const before = seen.get(candidate.answer.id) ?? 0;
        seen.set(candidate.answer.id, before + 1);
        return { candidate, turn: before >> 1 };
      });
    return turns
      .toSorted((one, other) => one.turn - other.turn)
      .slice(0, count)
      .map(({ candidate }) => candidate);
  });
}

function candidatesOf(answer: IdentifiedAnswer, catalog: CompiledCatalog): Candidate[] {
  const mentions = findMentions(answer.text, catalog, answer.prompt);
  return mentions
    .filter((mention) => !isShop(answer.text, mention))
    .map(({ brand_id, start, end }) => {
      const window = windowOf(answer.text, { start, end }, mentions);
      return { answer, brand: brand_id, start, end, window, stratum: stratumOf(answer.text, start, window) };
    });
}

/** True for the shop of a card, which is no brand statement. */
function isShop(text: string, { start }: Mention): boolean {
  return /•(?:(?!weitere)[^•\n]){0,40}$/.test(text.slice(Math.max(0, start - 60), start)) && isCard(text, start);
}

function stratumOf(text: string, start: number, window: Stretch): string {
  if (isCard(text, start)) return "card";
  const words = text.slice(window.start, window.end);
  if (start - window.start > 20 && COMPARATIVE.test(words)) return "yardstick";
  if (WINNER.test(words)) return "winner";
  return CAVEAT.test(words) ? "caveat" : "other";
}

function stanceUnits(candidates: readonly Candidate[], part: Part): StanceUnit[] {
  const inOrder = shuffled(candidates, ({ answer, start }) => `stance ${answer.id} ${start}`);
  return take(inOrder, STANCES).map(({ answer, brand, start, end, window }) => ({
    id: `s/${answer.id}/${start}`,
    kind: "stance",
    part,
    answer: answer.id,
    brand,
    start,
    end,
    hash: shortHash(answer.text.slice(start, end)),
    window,
  }));
}

function windowUnits(candidates: readonly Candidate[], part: Part): ProsAndConsUnit[] {
  const byWindow = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { answer, window } = candidate;
    const size = window.end - window.start;
    const key = `${answer.id} ${window.start}`;
    if (candidate.stratum === "card" || size < 60 || size > 1_200 || byWindow.has(key)) continue;
    const words = answer.text.slice(window.start, window.end);
    const stratum = CAVEAT.test(words) ? "caveat" : PRAISE.test(words) ? "praise" : "other";
    byWindow.set(key, { ...candidate, stratum });
  }
  const inOrder = shuffled([...byWindow.values()], ({ answer, window }) => `window ${answer.id} ${window.start}`);
  return take(inOrder, WINDOWS).map(({ answer, brand, window }) => ({
    id: `p/${answer.id}/${window.start}`,
    kind: "pros_and_cons",
    part,
    answer: answer.id,
    brand,
    ...window,
    hash: shortHash(answer.text.slice(window.start, window.end)),
  }));
}

function sentenceUnits(candidates: readonly Candidate[], part: Part): ComparisonUnit[] {
  const bySentence = new Map<string, Candidate>();
  for (const candidate of candidates.filter(({ stratum }) => stratum !== "card")) {
    const { answer, window } = candidate;
    for (const sentence of sentencesOf(answer.text, window)) {
      const size = sentence.end - sentence.start;
      const key = `${answer.id} ${sentence.start}`;
      if (size < 25 || size > 900 || bySentence.has(key)) continue;
      const stratum = sentenceStratum(candidate, sentence, candidates);
      if (stratum !== undefined) bySentence.set(key, { ...candidate, ...sentence, stratum });
    }
  }
  const inOrder = shuffled([...bySentence.values()], ({ answer, start }) => `sentence ${answer.id} ${start}`);
  const drawn = new Set(take(inOrder, SENTENCES));
  const others = inOrder.filter((candidate) => !drawn.has(candidate) && isWorded(candidate));
  return [...drawn, ...others].map(({ answer, start, end, window }) => ({
    id: `c/${answer.id}/${start}`,
    kind: "comparison",
    part,
    answer: answer.id,
    start,
    end,
    hash: shortHash(answer.text.slice(start, end)),
    window,
  }));
}

/**
 * Stratum: a comparative with two brands, with one (a rule may invent the other), or two brands
 * without one.
 */
function sentenceStratum(
  { answer, window }: Candidate,
  sentence: Stretch,
  candidates: readonly Candidate[],
): string | undefined {
  const inAnswer = candidates.filter((other) => other.answer === answer);
  const named = inAnswer.filter(({ start }) => start >= sentence.start && start < sentence.end);
  const subject = inAnswer.find(({ start }) => start >= window.start);
  const brands = new Set([...named, ...(subject ? [subject] : [])].map(({ brand }) => brand));
  if (COMPARATIVE.test(answer.text.slice(sentence.start, sentence.end))) {
    return brands.size > 1 ? "comparative" : "alone";
  }
  if (new Set(named.map(({ brand }) => brand)).size > 1) return "several";
  return brands.size > 1 ? "subject" : undefined;
}

function isWorded({ answer, start, end, stratum }: Candidate): boolean {
  return (stratum === "several" || stratum === "subject") && IN_OTHER_WORDS.test(answer.text.slice(start, end));
}

function claimUnits(answers: readonly IdentifiedAnswer[], facts: readonly DeclaredFact[], part: Part): ClaimUnit[] {
  const pairs = answers.flatMap((answer) =>
    facts.flatMap((fact) => {
      const reach = reachOf(answer.text, fact);
      if (reach === "") return [];
      return [{ answer, fact, stratum: cueOf(fact).test(reach) ? "stated" : "unstated" }];
    }),
  );
  const inOrder = shuffled(pairs, ({ answer, fact }) => `claim ${answer.id} ${fact.id}`);
  // One answer per fact first, to cover many facts.
  const seen = new Map<string, number>();
  const spread = inOrder.map((pair) => {
    const key = `${pair.fact.id} ${pair.stratum}`;
    const turn = seen.get(key) ?? 0;
    seen.set(key, turn + 1);
    return { pair, turn };
  });
  const ranked = spread.toSorted((one, other) => one.turn - other.turn).map(({ pair }) => pair);
  return Object.entries(CLAIMS).flatMap(([stratum, count]) =>
    ranked
      .filter((pair) => pair.stratum === stratum)
      .slice(0, count)
      .map(({ answer, fact }) => ({
        id: `f/${answer.id}/${fact.id}`,
        kind: "claim",
        part,
        answer: answer.id,
        brand: fact.brand,
        fact: fact.id,
        start: 0,
        end: answer.text.length,
        hash: shortHash(answer.text),
      })),
  );
}

/** Text after each name of the fact's product, where its value would be. */
function reachOf(text: string, { names }: DeclaredFact): string {
  const plain = text.replaceAll(/[\u00A0\u2002\u202F]/g, " ").replaceAll("\u2011", "-");
  return names
    .flatMap((name) => plain.split(name).slice(1))
    .map((after) => after.slice(0, 320))
    .join("\n");
}

const CUES: Readonly<Record<string, RegExp>> = {
  USD: /\$/,
  min: /\d\s?min/,
  h: /\d\s?h/,
  days: /days|weeks/,
  miles: /\d\s?mi/,
  count: /microphones|mics/,
  "mm/s": /mm\/s/,
  year: /founded|since/i,
};

function cueOf({ unit, attribute }: DeclaredFact): RegExp {
  if (unit !== null) return CUES[unit] ?? new RegExp(`\\d\\S* ?${unit.split(" ").at(-1) ?? unit}`, "i");
  const stems = attribute.split(" ").filter((word) => word.length > 2 && !["the", "with", "works"].includes(word));
  return new RegExp(stems.map((word) => word.slice(0, 6)).join("|"), "i");
}
