import { wordList } from "../shared/words.ts";
import type { AttributeScore, Criteria, ScoringResult, ScoreResult, Quote } from "./scorer.ts";
import { type Sentence, foldWords, splitSentences, stemWord } from "./sentences.ts";

/** Wordings of a category or attribute: phrases of word stems, or literal text. */
interface Concept {
  phrases: string[][];
  /** Wordings in scripts without spaces, matched literally. */
  literals: string[];
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const STOP_WORDS = wordList("wording_stop_words");

/** Splits `price / value for money` into wordings at slashes, commas, brackets and "or". */
export function parseConcept(name: string): Concept {
  const wordings = name.split(/[/,;|()]|\s(?:or|oder|ou|o)\s/iu).filter((wording) => wording.trim() !== "");
  const literals = wordings.filter((wording) => UNSPACED.test(wording)).map((wording) => fold(wording.trim()));
  const phrases = wordings
    .filter((wording) => !UNSPACED.test(wording))
    .map((wording) => foldWords(wording).filter((word) => !STOP_WORDS.has(word)))
    .filter((words) => words.length > 0)
    .map((words) => words.map(stemWord));
  return { phrases, literals };
}

function isEmpty({ phrases, literals }: Concept): boolean {
  return phrases.length + literals.length === 0;
}

/** Share of a wording's words in a sentence, for the best matching wording, 0 to 1. */
export function matchShare({ phrases, literals }: Concept, sentence: Pick<Sentence, "stems" | "text">): number {
  if (literals.some((literal) => fold(sentence.text).includes(literal))) return 1;
  let best = 0;
  for (const phrase of phrases) {
    const found = phrase.filter((stem) => sentence.stems.some((word) => areVariants(stem, word))).length;
    best = Math.max(best, found / phrase.length);
  }
  return best;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Equal stems, or a shared prefix of 5 letters and 70 % of the longer: durable, durability. */
function areVariants(stem: string, word: string): boolean {
  if (stem === word) return true;
  const longer = Math.max(stem.length, word.length);
  let shared = 0;
  while (shared < longer && stem[shared] === word[shared]) shared += 1;
  return shared >= 5 && shared >= 0.7 * longer;
}

// Version of the scoring rules; docs/evaluations.md has their formulas and reasons.
export const ASSET_RULES_VERSION = "rules-1";

/** Max characters that are scored. */
export const MAX_SCORED_LENGTH = 100_000;
const MIN_WORDS = 20;
const MAX_QUOTATIONS = 3;
const MAX_QUOTE_LENGTH = 300;

/** Component of a score: weight, value from 0 to 1, and explanation. */
interface ScoreSignal {
  weight: number;
  value: number;
  explanation: string;
}

interface ParsedText {
  sentences: Sentence[];
  wordCount: number;
  length: number;
  namesBrand: (sentence: Sentence) => boolean;
}

export function scoreText(text: string, criteria: Criteria): ScoringResult {
  const sentences = splitSentences(text.slice(0, MAX_SCORED_LENGTH));
  const wordCount = sentences.reduce((sum, sentence) => sum + sentence.words.length, 0);
  if (wordCount < MIN_WORDS) {
    const few = text.trim() === "" ? "It has no readable text." : `It has fewer than ${MIN_WORDS} words.`;
    return { kind: "not_judged", reason: few };
  }
  const length = Math.min(text.length, MAX_SCORED_LENGTH);
  const reading = { sentences, wordCount, length, namesBrand: createBrandMatcher(criteria.brandNames) };
  const attributes = criteria.attributes.map((attribute) => scoreAttribute(attribute, reading));
  const overall = scoreWhole(reading, criteria, attributes);
  const cut = text.length > MAX_SCORED_LENGTH ? ` Only the first ${MAX_SCORED_LENGTH} characters were read.` : "";
  return {
    kind: "judged",
    overall: { ...overall, explanation: overall.explanation + cut },
    attributes,
    droppedQuotes: 0,
  };
}

function scoreAttribute(attribute: string, reading: ParsedText): AttributeScore {
  const concept = parseConcept(attribute);
  if (isEmpty(concept)) return { attribute, status: "not_judged", reason: "The attribute has no word to search for." };
  const about = findMatches(concept, reading);
  const coverage = about.reduce((sum, { share }) => sum + share, 0);
  const direct = about.filter(
    ({ share, sentence }) => share === 1 && !sentence.isQuestion && sentence.kind !== "heading",
  );
  const matches = direct.filter(({ sentence }) => reading.namesBrand(sentence));
  const proven = about.filter(({ sentence }) => sentence.hasEvidence);
  const signals: ScoreSignal[] = [
    { weight: 35, value: Math.min(1, coverage / 3), explanation: `${pluralise(about.length, "sentence")} speak of it` },
    {
      weight: 20,
      value: matches.length > 0 ? 1 : direct.length > 0 ? 0.7 : 0,
      explanation: `${pluralise(direct.length, "direct statement")}, ${matches.length} with the brand`,
    },
    { weight: 25, value: Math.min(1, proven.length / 2), explanation: `${proven.length} with figures or sources` },
    { weight: 20, value: scoreProminence(about, reading), explanation: describeProminence(about) },
  ];
  return { attribute, status: "judged", ...toMark(signals, about) };
}

function scoreWhole(reading: ParsedText, criteria: Criteria, attributes: readonly AttributeScore[]): ScoreResult {
  const concept = parseConcept(criteria.category);
  const about = findMatches(concept, reading);
  const coverage = about.reduce((sum, { share }) => sum + share, 0);
  const judged = attributes.flatMap((mark) => (mark.status === "judged" ? [mark.score] : []));
  const mean = judged.reduce((sum, score) => sum + score, 0) / Math.max(1, judged.length);
  const proven = reading.sentences.filter(({ hasEvidence }) => hasEvidence).length;
  const density = (proven * 1000) / reading.wordCount;
  const signals: ScoreSignal[] = [
    {
      weight: isEmpty(concept) ? 0 : 25,
      value: Math.min(1, coverage / 4),
      explanation: `${about.length} of ${pluralise(reading.sentences.length, "sentence")} speak of the category`,
    },
    {
      weight: judged.length === 0 ? 0 : 35,
      value: mean / 100,
      explanation: `the attributes have ${Math.round(mean)} on average`,
    },
    {
      weight: 15,
      value: Math.min(1, density / 15),
      explanation: `${pluralise(proven, "sentence")} carry figures or sources`,
    },
    scoreStructure(reading),
    scoreReadability(reading),
    ...scoreBrandMentions(reading, criteria),
  ];
  return toMark(signals, about);
}

interface Match {
  sentence: Sentence;
  share: number;
}

/** Sentences that match a concept by at least half of one of its wordings. */
function findMatches(concept: Concept, { sentences }: ParsedText): Match[] {
  return sentences.flatMap((sentence) => {
    const share = matchShare(concept, sentence);
    return share >= 0.5 ? [{ sentence, share }] : [];
  });
}

/** Headings count most, then list items, then the beginning of the text. */
function scoreProminence(about: readonly Match[], { length }: ParsedText): number {
  if (about.some(({ sentence }) => sentence.kind === "heading")) return 1;
  if (about.some(({ sentence }) => sentence.kind === "item" || sentence.start < length / 10)) return 0.6;
  return 0;
}

function describeProminence(about: readonly Match[]): string {
  const headings = about.filter(({ sentence }) => sentence.kind === "heading").length;
  const items = about.filter(({ sentence }) => sentence.kind === "item").length;
  return `${pluralise(headings, "heading")} and ${pluralise(items, "list item")} name it`;
}

function scoreStructure({ sentences, wordCount }: ParsedText): ScoreSignal {
  const headings = sentences.filter(({ kind }) => kind === "heading");
  const items = sentences.filter(({ kind }) => kind === "item").length;
  const questions = headings.filter(({ isQuestion }) => isQuestion).length;
  const wanted = Math.max(1, wordCount / 300);
  const value =
    0.5 * Math.min(1, headings.length / wanted) + 0.3 * Math.min(1, items / 3) + 0.2 * Math.min(1, questions);
  return {
    weight: 15,
    value,
    explanation: `${pluralise(headings.length, "heading")}, ${questions} of them questions, and ${pluralise(items, "list item")}`,
  };
}

function scoreReadability({ sentences, wordCount }: ParsedText): ScoreSignal {
  const mean = wordCount / sentences.length;
  const value = Math.min(1, Math.max(0, (40 - mean) / 20));
  return { weight: 10, value, explanation: `${Math.round(mean)} words a sentence` };
}

function scoreBrandMentions({ sentences, length, namesBrand }: ParsedText, { brandNames }: Criteria): ScoreSignal[] {
  if (brandNames.length === 0) return [];
  const naming = sentences.filter(namesBrand);
  const early = naming.some(({ kind, start }) => kind === "heading" || start < length / 10);
  const value = early ? 1 : naming.length > 0 ? 0.7 : 0;
  return [{ weight: 10, value, explanation: `${pluralise(naming.length, "sentence")} name the brand` }];
}

function createBrandMatcher(names: readonly string[]): (sentence: Sentence) => boolean {
  const folded = names.map((name) => foldWords(name)).filter((words) => words.length > 0);
  return ({ words }) =>
    folded.some((name) => words.some((_, at) => name.every((word, offset) => words[at + offset] === word)));
}

function toMark(signals: readonly ScoreSignal[], about: readonly Match[]): ScoreResult {
  const counting = signals.filter(({ weight }) => weight > 0);
  const weight = counting.reduce((sum, signal) => sum + signal.weight, 0);
  const reached = counting.reduce((sum, signal) => sum + signal.weight * signal.value, 0);
  const parts = counting.map(
    ({ explanation: seen, value, weight: of }) => `${seen} (${Math.round(value * of)} of ${of})`,
  );
  return {
    score: Math.round((100 * reached) / weight),
    explanation: `${parts.join("; ")}.`,
    quotes: selectQuotes(about),
  };
}

/** Best sentences: complete wordings first, then evidence, then text order. */
function selectQuotes(about: readonly Match[]): Quote[] {
  const worth = ({ sentence, share }: Match) => share * 2 + (sentence.hasEvidence ? 1 : 0);
  return about
    .toSorted((a, b) => worth(b) - worth(a) || a.sentence.start - b.sentence.start)
    .slice(0, MAX_QUOTATIONS)
    .map(({ sentence: { start, text } }) => {
      const shown = text.slice(0, MAX_QUOTE_LENGTH).toWellFormed();
      const whole = text.startsWith(shown) ? shown : text.slice(0, MAX_QUOTE_LENGTH - 1);
      return { text: whole, start, end: start + whole.length };
    });
}

function pluralise(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
