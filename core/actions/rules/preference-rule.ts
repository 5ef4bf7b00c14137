import { attributeScores, preferences } from "../../metrics/facts/preferences.ts";
import { answerKeyOf } from "../../metrics/facts/collect-perception.ts";
import type { ScoredAnswer } from "../../metrics/facts/scored-facts.ts";
import { LEAST_PROMPTS, meanInterval, momentsOf, type Interval } from "../../statistics/interval.ts";
import type { Source } from "../../sources/sources.ts";
import type { RuleInput, Steps } from "../finding.ts";
import {
  intervalOf,
  promptPlaces,
  sharesBy,
  shareOf,
  type Counted,
  type OpinionView,
  type SourceOpinions,
} from "../opinion-view.ts";

/** Min clauses behind a score (docs/measurement.md, section 5). */
const LEAST_CLAUSES = 10;

/**
 * Field of a comparison with a competitor: an attribute or aspect at all sources, or one source.
 */
export interface Ground {
  rivalId: string;
  /** Null for a source. */
  about: string | null;
  source: Source | null;
  /** Answers with a preference: 1 for the own brand, 0 for the competitor, 0.5 for both. */
  compared: Counted[];
  /**
   * Answers that score the attribute of the own brand and of the competitor; 0 to 1 for -5 to 5.
   */
  own: Counted[];
  rival: Counted[];
  /** Standing of the own brand by preferences and by scores. */
  comparison: Standing;
  score: Standing;
}

interface Pair {
  ownId: string;
  rivalId: string;
}

/** Behind if the difference is significant; ahead if above one half, or higher. */
type Standing = "behind" | "ahead" | null;

/**
 * A field in which answers prefer a competitor, with the fields in which they prefer the own brand.
 */
export interface Lost extends Ground {
  elsewhere: Ground[];
}

/** Fields lost to competitors that do not win everywhere. */
export function* lossesToRivals({ compared }: Pick<RuleInput, "compared">, view: OpinionView): Steps<Lost[]> {
  const lost: Lost[] = [];
  for (const rivalId of compared.rivalIds) {
    const grounds: Ground[] = [];
    for (const ground of groundsOf(view, { ownId: compared.ownId, rivalId })) {
      grounds.push(groundOf(view, { ownId: compared.ownId, rivalId }, ground));
      yield;
    }
    const elsewhere = grounds.filter(isAhead);
    lost.push(...grounds.flatMap((one) => (isBehind(one) && elsewhere.length > 0 ? [{ ...one, elsewhere }] : [])));
  }
  return lost;
}

function isBehind({ comparison, score }: Ground): boolean {
  return (comparison === "behind" || score === "behind") && comparison !== "ahead" && score !== "ahead";
}

function isAhead({ comparison, score }: Ground): boolean {
  return (comparison === "ahead" || score === "ahead") && comparison !== "behind" && score !== "behind";
}

function groundsOf(view: OpinionView, { ownId, rivalId }: Pair): Pick<Ground, "about" | "source">[] {
  const pair = new Set([view.numbers.get(ownId), view.numbers.get(rivalId)]);
  const times = new Map(view.attributes.map((attribute) => [attribute, Infinity]));
  for (const { said } of view.sources) {
    const { betters, worses, aspects } = said.comparisons;
    const names = said.aspects.map(view.nameOf);
    for (const [at, better] of betters.entries()) {
      const name = names[(aspects[at] ?? 0) - 1];
      if (name === undefined || !pair.has(better) || !pair.has(worses[at])) continue;
      times.set(name, (times.get(name) ?? 0) + 1);
    }
  }
  const abouts = [...times].flatMap(([about, answers]) => (answers >= LEAST_PROMPTS ? [about] : []));
  return [
    ...abouts.map((about) => ({ about, source: null })),
    ...view.sources.map(({ source }) => ({ about: null, source })),
  ];
}

function groundOf(
  view: OpinionView,
  { ownId, rivalId }: Pair,
  { about, source }: Pick<Ground, "about" | "source">,
): Ground {
  const compared = preferring(view, { ownId, rivalId }, { about, source });
  const scored = (brandId: string) => (about === null ? [] : scoring(view, brandId, about));
  const [own, rival] = [scored(ownId), scored(rivalId)];
  const all = { rivalId, about, source, compared, own: own.map(counted), rival: rival.map(counted) };
  return { ...all, comparison: standingOf(compared), score: scoreStanding(own, rival) };
}

/**
 * Answers with a preference between two brands, by attribute, aspect or source: 1 for the own
 * brand.
 */
export function preferring(
  view: OpinionView,
  { ownId, rivalId }: Pair,
  { about, source }: Pick<Ground, "about" | "source">,
): Counted[] {
  const [brand, other] = [view.numbers.get(ownId), view.numbers.get(rivalId)];
  if (brand === undefined || other === undefined) return [];
  const isCounted = (aspect: string | null) => about === null || (aspect !== null && view.nameOf(aspect) === about);
  // Prompts that name only one of the two are biased towards it.
  const prompts = view.prompts.map((prompt) => {
    const isFair = prompt.brandIds.includes(ownId) === prompt.brandIds.includes(rivalId);
    return { ...prompt, questions: isFair ? prompt.questions : [] };
  });
  const sources = view.sources.filter((one) => source === null || one.source === source);
  return countedIn({ prompts, sources }, ({ said }) => preferences(said, { brand, other }, isCounted));
}

interface Scored extends Counted {
  clauses: number;
}

/** Answers that score an attribute of a brand; 0 to 1 for -5 to 5. */
export function scoring(view: OpinionView, brandId: string, attribute: string): Scored[] {
  const brand = view.numbers.get(brandId);
  if (brand === undefined) return [];
  return countedIn(view, ({ said }) => attributeScores(said, { brand, attribute }));
}

function countedIn(
  view: Pick<OpinionView, "prompts" | "sources">,
  scored: (of: SourceOpinions) => Iterable<ScoredAnswer>,
): Scored[] {
  const places = promptPlaces(view);
  return view.sources.flatMap((one) =>
    [...scored(one)].flatMap((answer): Scored[] => {
      const prompt = places.get(answer.question);
      if (prompt === undefined) return [];
      const { value, places: clauses = 1 } = answer;
      return [{ source: one.source, prompt, key: answerKeyOf(one.said, answer), value, clauses }];
    }),
  );
}

function counted({ clauses: _clauses, ...one }: Scored): Counted {
  return one;
}

/** Behind if the interval of the win rate is below one half. */
function standingOf(compared: readonly Counted[]): Standing {
  const prompts = sharesBy(compared, "prompt");
  if (prompts.size < LEAST_PROMPTS) return null;
  const { n, x } = shareOf(compared);
  if ((intervalOf(prompts.values())?.high ?? 1) < 0.5) return "behind";
  return x > n / 2 ? "ahead" : null;
}

/** Behind if the intervals of the two scores do not overlap. */
function scoreStanding(own: readonly Scored[], rival: readonly Scored[]): Standing {
  const isTold = [own, rival].every((all) => all.reduce((sum, { clauses }) => sum + clauses, 0) >= LEAST_CLAUSES);
  const [ours, theirs] = [scoreInterval(own), scoreInterval(rival)];
  if (!isTold || ours === null || theirs === null) return null;
  if (ours.high < theirs.low) return "behind";
  return meanOf(own) > meanOf(rival) ? "ahead" : null;
}

/** 95 % interval of a mean of values from 0 to 1, in steps of one point of the score. */
export function scoreInterval(scored: readonly Counted[]): Interval | null {
  return meanInterval(momentsOf(sharesBy(scored, "prompt").values()), { least: 0, most: 1, step: 0.1 });
}

function meanOf(scored: readonly Counted[]): number {
  const { n, x } = shareOf(scored);
  return n === 0 ? 0 : x / n;
}
