import { NAME_SIGNALS, type NameSignal } from "./find-names.ts";
import type { NameSighting } from "./name-gatherer.ts";
import type { Source } from "../sources/sources.ts";

export const SUGGESTION_STATUSES = ["open", "accepted", "merged", "dismissed"] as const;

export interface NameSummary {
  text: string;
  folded: string;
  answerCount: number;
  /** Confidence from 0 to 1, two decimals. */
  confidence: number;
  signals: NameSignal[];
  examples: string[];
  firstSeenAt: string;
  lastSeenAt: string;
  isSuggested: boolean;
}

const MIN_SEVERAL_ANSWERS = 3;
const MAX_EXAMPLES = 3;
const MIN_CONFIDENCE = 0.6;

/** Share by which each signal reduces doubt. */
const SIGNAL_WEIGHTS: Record<NameSignal, number> = {
  list_item: 0.45,
  table_row: 0.45,
  heading: 0.25,
  product_card: 0.55,
  emphasised: 0.3,
  cited_domain: 0.55,
  ranked_beside_known_brands: 0.4,
  several_answers: 0.35,
  several_sources: 0.2,
};

/** At least one of these is needed; otherwise the name is only a capitalised word. */
const REQUIRED_SIGNALS: readonly NameSignal[] = [
  "list_item",
  "table_row",
  "heading",
  "product_card",
  "cited_domain",
  "emphasised",
];

/** Summarises the sightings of one name, one per collect, oldest first. */
export function summariseName(sightings: readonly NameSighting[]): NameSummary | undefined {
  const [first] = sightings;
  const most = sightings.toSorted((a, b) => b.answers - a.answers)[0];
  if (!first || !most) return undefined;
  const answerCount = sightings.reduce((sum, { answers }) => sum + answers, 0);
  const found = new Set(sightings.flatMap(({ signals }) => signals));
  if (answerCount >= MIN_SEVERAL_ANSWERS) found.add("several_answers");
  if (new Set(sightings.flatMap(({ sources }): Source[] => sources)).size > 1) found.add("several_sources");
  const signals = NAME_SIGNALS.filter((signal) => found.has(signal));
  const doubt = signals.reduce((left, signal) => left * (1 - SIGNAL_WEIGHTS[signal]), 1);
  const confidence = Math.round(100 * (1 - doubt)) / 100;
  const alone = sightings.reduce((sum, sighting) => sum + sighting.alone, 0);
  const leads = new Set(sightings.flatMap((sighting) => sighting.leads));
  return {
    text: most.text,
    folded: first.folded,
    answerCount,
    confidence,
    signals,
    examples: sightings.flatMap(({ examples }) => examples).slice(0, MAX_EXAMPLES),
    firstSeenAt: sightings.map(({ firstSeenAt }) => firstSeenAt).toSorted()[0] ?? "",
    lastSeenAt:
      sightings
        .map(({ lastSeenAt }) => lastSeenAt)
        .toSorted()
        .at(-1) ?? "",
    isSuggested:
      confidence >= MIN_CONFIDENCE &&
      (alone > 0 || leads.size > 1) &&
      REQUIRED_SIGNALS.some((signal) => found.has(signal)),
  };
}

/** First word of a longer name, folded; undefined for a single word, and before "&". */
export function findLeadingWord(folded: string): string | undefined {
  const [first, second] = folded.split(" ");
  return second === undefined || second === "&" ? undefined : first;
}
