import { wordsOf } from "./attribute-words.ts";
import { isSure, type Said, type Sentence, type SaidVerdict } from "./said.ts";
import { foldName } from "../shared/names.ts";
import type { CapturedCitation, Mention } from "../reading/capture.ts";
import { citedIn } from "./cited-in.ts";
import type { FactValue } from "./fact.ts";
import { readDate } from "./read-date.ts";
import { readQuantity } from "./read-figures.ts";
import { statementsOf } from "./statements.ts";

/** A declared fact to check answers against. */
export interface ClaimedFact {
  brandId: string;
  attribute: string;
  value: FactValue;
}

/** Text of an answer with its extracted mentions and citations. */
export interface ClaimedText {
  text: string;
  /** All brands, since statements after another brand's name are about that brand. */
  mentions: readonly Mention[];
  citations?: readonly CapturedCitation[];
}

/**
 * `start` to `end` is the deciding sentence or cell, in UTF-16 code units, end exclusive; empty
 * without one.
 */
export interface Claim {
  verdict: SaidVerdict | "not_mentioned";
  start: number;
  end: number;
  /** Page cited by that sentence or item. */
  url: string | null;
}

/** Max characters that are searched. */
const LONGEST_READ = 60_000;
const MOST_STATEMENTS = 500;

/**
 * Checks an answer against a declared fact. Pure, linear. Returns `contradicted` only for certain
 * contradictions; statements about conditions, variants, differences and other products count as
 * not mentioned.
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

/** A text fact can only be agreed: different words do not contradict it. */
function readText(wanted: string, sentences: readonly Sentence[]): Said | undefined {
  const folded = foldName(wanted);
  const statement = sentences.find(({ text }) => foldName(text).includes(folded));
  return statement ? { verdict: "agreed", statement } : undefined;
}

const LANGUAGES = ["en", "de", "fr", "es", "ja"];
const ALSO: Readonly<Record<string, string>> = {
  US: "U.S.A.|U.S.|USA|US|the States|Vereinigten Staaten",
  GB: "U.K.|UK|Britain|Vereinigten Königreich",
  AE: "UAE|Vereinigten Arabischen Emiraten",
};
const SOLD =
  /\b(?:available|availability|sold|sells?|launched|released|offered|on sale|ships?|buy|erhältlich|verfügbar|verkauft|disponible|vendue?|vendido)\b|発売|販売|入手/iu;
const NOT_SOLD =
  /\b(?:unavailable|not (?:\(?yet\)? )?(?:\p{L}+ ){0,2}(?:available|sold|launched|released|offered|for sale)|isn['’]t (?:\p{L}+ ){0,2}(?:available|sold|launched|released|offered)|hard to (?:get|buy|find) (?:in|there|here)|no(?:t)? (?:official )?(?:release|launch|availability)|can['’]?(?:not|t) (?:be bought|buy)|banned|nicht (?:\p{L}+ ){0,2}(?:erhältlich|verfügbar)|pas (?:\p{L}+ ){0,2}(?:disponible|vendue?)|no (?:está|es) disponible)(?!\p{L})|未発売|販売されていません|入手できません/iu;

function readAvailability(
  { country, available }: { country: string; available: boolean },
  sentences: readonly Sentence[],
): Said | undefined {
  const named = countryPattern(country);
  for (const sentence of sentences) {
    if (!named.test(sentence.text) || !isSure(sentence)) continue;
    const said = isSold(sentence.text);
    if (said !== undefined) return { verdict: said === available ? "agreed" : "contradicted", statement: sentence };
  }
  return undefined;
}

function isSold(text: string): boolean | undefined {
  if (NOT_SOLD.test(text)) return false;
  // A denial or limitation anywhere in the text leaves the availability open.
  return SOLD.test(text) &&
    !/\b(?:not|no|n['’]t|limited|nicht|kein|pas|soon|will|outside|except)\b|ない|ません/iu.test(text)
    ? true
    : undefined;
}

const known = new Map<string, RegExp>();

function countryPattern(country: string): RegExp {
  const pattern = known.get(country) ?? compile(country);
  known.set(country, pattern);
  return pattern;
}

function compile(country: string): RegExp {
  const names = LANGUAGES.map(
    (language) => new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country,
  );
  const all = [...names, ...(ALSO[country]?.split("|") ?? [])];
  const escaped = all.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  // Case-sensitive: "us" is no country.
  return new RegExp(String.raw`(?<![\p{L}])(?:${escaped.join("|")})(?![\p{Script=Latin}])`, "u");
}

/** Phrases that deny a feature without a negation. */
const OPPOSITES: readonly (readonly [feature: RegExp, said: RegExp])[] = [
  [/^(?:cooling )?fan/i, /\bfanless\b|lüfterlos|sans ventilateur|sin ventilador|ファンレス/iu],
  [/enclosed|enclosure/i, /\bopen[- ]frame\b/iu],
  [/open-back/i, /\bclosed-back\b/iu],
  [/closed-back/i, /\bopen-back\b/iu],
  [/wireless/i, /\bwired(?:[- ]only)?\b|kabelgebunden|filaire/iu],
  [
    /android/i,
    /\b(?:only (?:works )?(?:with|for|on)|works only with|requires an?) (?:an )?(?:iphones?|ios)\b|\b(?:iphone|ios)[- ]only\b/iu,
  ],
];
/** Partial, optional or possible features. */
const IN_PART =
  /\b(?:optional(?:ly)?|some|certain|select|could|might|may|may not|add-on|sold separately|upgrade|future|if|want|need|needs|require|looking|consider|depending|variants?|trims?|limited|partial(?:ly)?|almost|not all|teilweise|optional\p{L}*|en option|opcional\p{L}*)(?!\p{L})|[/／](?= ?no\b)/iu;
const APART = 40;

function readFeature(
  { attribute, present }: { attribute: string; present: boolean },
  sentences: readonly Sentence[],
): Said | undefined {
  const words = wordsOf(attribute);
  let otherwise: Said | undefined;
  for (const sentence of sentences) {
    const said = saysOf(attribute, words, sentence);
    if (said === undefined) continue;
    if (said === present) return { verdict: "agreed", statement: sentence };
    otherwise ??= { verdict: "contradicted", statement: sentence };
  }
  return otherwise;
}

/** True, false, or undefined if uncertain. */
function saysOf(attribute: string, words: readonly RegExp[], sentence: Sentence): boolean | undefined {
  const { text, label } = sentence;
  const head = placeOf(label, words);
  if (head) return ofCell(text);
  const opposite = OPPOSITES.find(([feature, said]) => feature.test(attribute) && said.test(text))?.[1].exec(text);
  const place = opposite ? { start: opposite.index, end: opposite.index + opposite[0].length } : placeOf(text, words);
  if (!place || !isSure(sentence)) return undefined;
  const clause = text.slice(Math.max(0, place.start - APART), place.end + APART / 2);
  if (IN_PART.test(clause)) return undefined;
  const isSaid = !isDenied(text, place.start, place.end);
  return opposite ? (isSaid ? false : undefined) : isSaid;
}

/** Value of a cell in the feature's column. */
function ofCell(text: string): boolean | undefined {
  const cell = text.trim();
  if (/^(?:\*\*)?(?:yes|ja|oui|sí|✓|✔|✅|はい|あり|included|standard)(?![\p{L}])/iu.test(cell)) return true;
  return /^(?:\*\*)?(?:no|none|nein|kein|non|✗|✘|❌|なし|いいえ)(?![\p{L}])/iu.test(cell) ? false : undefined;
}

/** Shortest span that holds all words of a feature close together. */
function placeOf(text: string, words: readonly RegExp[]): { start: number; end: number } | undefined {
  const places = words.map((word) => word.exec(text));
  if (places.length === 0 || places.some((place) => place === null)) return undefined;
  const found = places.flatMap((place) => (place ? [place] : []));
  const start = Math.min(...found.map(({ index }) => index));
  const end = Math.max(...found.map(({ index, 0: said }) => index + said.length));
  return end - start <= APART ? { start, end } : undefined;
}

/** Negations before a phrase, in five languages. */
const DENIED_BEFORE =
  /\b(?:no|not|without|lacks?|lacking|missing|isn['’]t|aren['’]t|doesn['’]t|don['’]t|cannot|can['’]t|won['’]t|never|non|minus|skips?|omits?|kein\p{L}*|nicht|ohne|fehlt|pas|sans|aucune?|no tiene|sin|ningun\p{L}*|ningún)(?![\p{L}])[^,;.:—()]{0,28}$|\bnon-$/iu;
const NOT_ONLY =
  /\bnot (?:only|just|merely)\b|\bno (?:doubt|wonder|longer just)\b|\bnicht nur\b|\bno sólo\b|\bno solo\b/giu;
/** Negations after a phrase. */
const DENIED_AFTER =
  /^(?:[- ]free\b|less\b|[^,;.:—]{0,14}\b(?:(?:is|are) (?:missing|absent|not)|not (?:included|supported|available|possible|compatible)|isn['’]t|aren['’]t|fehlt|fehlen)|.{0,6}(?:なし|無し|ありません|ない|非対応|未対応|できません))/iu;

/** True if the text negates the span from `start` to `end`. */
function isDenied(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 60), start).replaceAll(NOT_ONLY, "");
  return DENIED_BEFORE.test(before) || DENIED_AFTER.test(text.slice(end, end + 40));
}
