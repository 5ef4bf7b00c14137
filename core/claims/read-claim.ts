import { foldName } from "../names.ts";
import type { CapturedCitation, Mention } from "../reading/capture.ts";
import { citedIn } from "./cited-in.ts";
import type { FactValue } from "./fact.ts";
import { readAvailability } from "./read-availability.ts";
import { readDate } from "./read-date.ts";
import { readFeature } from "./read-feature.ts";
import { readQuantity } from "./read-figures.ts";
import type { Said, SaidVerdict, Sentence } from "./said.ts";
import { statementsOf } from "./statements.ts";

/** A fact as answers are held against it. */
export interface ClaimedFact {
  brandId: string;
  attribute: string;
  value: FactValue;
}

/** What an answer is held against a fact with: its text, and the names and sources that were read of it. */
export interface ClaimedText {
  text: string;
  /** Of all brands: what is said after the name of another one is said of that. */
  mentions: readonly Mention[];
  citations?: readonly CapturedCitation[];
}

/** The place is the sentence or cell that decides, in UTF-16 code units, end exclusive; empty where none does. */
export interface Claim {
  verdict: SaidVerdict | "not_mentioned";
  start: number;
  end: number;
  /** The page that this sentence or item cites. */
  url: string | null;
}

/** Of longer answers the beginning is read. */
const LONGEST_READ = 60_000;
const MOST_STATEMENTS = 500;

/**
 * Holds an answer against a declared fact. Pure, and in time that grows as the text does. Contradicted only where the answer surely
 * says otherwise: what is conditional, of a variant, a difference or another product is not mentioned.
 */
export function readClaim(answer: ClaimedText, fact: ClaimedFact): Claim {
  const text = answer.text.slice(0, LONGEST_READ);
  const mentions = answer.mentions.filter(({ end }) => end <= text.length);
  const statements = statementsOf(text, mentions, fact.brandId).slice(0, MOST_STATEMENTS);
  const said = readSaid(
    fact,
    statements.map((one) => ({ ...one, text: text.slice(one.start, one.end) })),
  );
  if (!said) return { verdict: "not_mentioned", start: 0, end: 0, url: null };
  const { start, end } = said.statement;
  return { verdict: said.verdict, start, end, url: citedIn(text, { start, end }, answer.citations ?? []) };
}

function readSaid({ attribute, value }: ClaimedFact, sentences: readonly Sentence[]): Said | undefined {
  switch (value.kind) {
    case "number":
      return readQuantity({ attribute, amount: value.number, unit: value.unit }, sentences);
    case "price":
      return readQuantity({ attribute, amount: value.amount, currency: value.currency }, sentences);
    case "date":
      return readDate({ attribute, date: value.date }, sentences);
    case "feature":
      return readFeature({ attribute, present: value.present }, sentences);
    case "availability":
      return readAvailability(value, sentences);
    default:
      return readText(value.text, sentences);
  }
}

/** A text can only be said or not: other words are no contradiction. */
function readText(wanted: string, sentences: readonly Sentence[]): Said | undefined {
  const folded = foldName(wanted);
  const statement = sentences.find(({ text }) => foldName(text).includes(folded));
  return statement ? { verdict: "agreed", statement } : undefined;
}
