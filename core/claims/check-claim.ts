import { buildAttributePatterns } from "./attribute-words.ts";
import { isPlainStatement, type StatementVerdict, type Sentence, type ClaimVerdict } from "./statement-verdict.ts";
import { foldName } from "../shared/names.ts";
import type { CapturedCitation, Mention } from "../reading/capture.ts";
import { findCitedPage } from "./find-cited-page.ts";
import type { FactValue } from "./fact.ts";
import { checkDate } from "./check-date.ts";
import { checkQuantity } from "./check-quantity.ts";
import { findStatements } from "./statements.ts";

export interface FactToCheck {
  brandId: string;
  attribute: string;
  value: FactValue;
}

export interface AnswerText {
  text: string;
  /** Mentions of all brands, since statements after another brand's name are about that brand. */
  mentions: readonly Mention[];
  citations?: readonly CapturedCitation[];
}

/** Span of the deciding sentence or cell (UTF-16 code units, end exclusive); empty without one. */
export interface CheckedClaim {
  verdict: ClaimVerdict | "not_mentioned";
  start: number;
  end: number;
  url: string | null;
}

/** Max characters of an answer that are searched. */
const MAX_READ_LENGTH = 60_000;
const MAX_STATEMENTS = 500;

/**
 * Checks an answer against a declared fact. Pure, linear. Returns `contradicted` only for certain
 * contradictions; statements about conditions, variants, differences and other products count as
 * not mentioned.
 */
export function checkClaim(answer: AnswerText, fact: FactToCheck): CheckedClaim {
  const text = answer.text.slice(0, MAX_READ_LENGTH);
  const mentions = answer.mentions.filter(({ end }) => end <= text.length);
  const statements = findStatements(text, mentions, fact.brandId).slice(0, MAX_STATEMENTS);
  const verdict = checkFact(
    fact,
    statements.map((one) => ({ ...one, text: text.slice(one.start, one.end) })),
  );
  if (!verdict) return { verdict: "not_mentioned", start: 0, end: 0, url: null };
  const { start, end } = verdict.statement;
  return { verdict: verdict.verdict, start, end, url: findCitedPage(text, { start, end }, answer.citations ?? []) };
}

function checkFact({ attribute, value }: FactToCheck, sentences: readonly Sentence[]): StatementVerdict | undefined {
  switch (value.kind) {
    case "number":
      return checkQuantity({ attribute, amount: value.number, unit: value.unit }, sentences);
    case "price":
      return checkQuantity({ attribute, amount: value.amount, currency: value.currency }, sentences);
    case "date":
      return checkDate({ attribute, date: value.date }, sentences);
    case "feature":
      return checkFeature({ attribute, hasFeature: value.present }, sentences);
    case "availability":
      return checkAvailability({ country: value.country, isAvailable: value.available }, sentences);
    default:
      return checkText(value.text, sentences);
  }
}

/** A text fact can only be agreed: different words do not contradict it. */
function checkText(wanted: string, sentences: readonly Sentence[]): StatementVerdict | undefined {
  const folded = foldName(wanted);
  const statement = sentences.find(({ text }) => foldName(text).includes(folded));
  return statement ? { verdict: "agreed", statement } : undefined;
}

const COUNTRY_NAME_LANGUAGES = ["en", "de", "fr", "es", "ja"];
const COUNTRY_ALIASES: Readonly<Record<string, string>> = {
  US: "U.S.A.|U.S.|USA|US|the States|Vereinigten Staaten",
  GB: "U.K.|UK|Britain|Vereinigten Königreich",
  AE: "UAE|Vereinigten Arabischen Emiraten",
};
const SOLD_PATTERN =
  /\b(?:available|availability|sold|sells?|launched|released|offered|on sale|ships?|buy|erhältlich|verfügbar|verkauft|disponible|vendue?|vendido)\b|発売|販売|入手/iu;
const NOT_SOLD_PATTERN =
  /\b(?:unavailable|not (?:\(?yet\)? )?(?:\p{L}+ ){0,2}(?:available|sold|launched|released|offered|for sale)|isn['’]t (?:\p{L}+ ){0,2}(?:available|sold|launched|released|offered)|hard to (?:get|buy|find) (?:in|there|here)|no(?:t)? (?:official )?(?:release|launch|availability)|can['’]?(?:not|t) (?:be bought|buy)|banned|nicht (?:\p{L}+ ){0,2}(?:erhältlich|verfügbar)|pas (?:\p{L}+ ){0,2}(?:disponible|vendue?)|no (?:está|es) disponible)(?!\p{L})|未発売|販売されていません|入手できません/iu;

function checkAvailability(
  { country, isAvailable }: { country: string; isAvailable: boolean },
  sentences: readonly Sentence[],
): StatementVerdict | undefined {
  const named = getCountryPattern(country);
  for (const sentence of sentences) {
    if (!named.test(sentence.text) || !isPlainStatement(sentence)) continue;
    const said = isSold(sentence.text);
    if (said !== undefined) return { verdict: said === isAvailable ? "agreed" : "contradicted", statement: sentence };
  }
  return undefined;
}

function isSold(text: string): boolean | undefined {
  if (NOT_SOLD_PATTERN.test(text)) return false;
  // A denial or limitation anywhere in the text leaves the availability open.
  return SOLD_PATTERN.test(text) &&
    !/\b(?:not|no|n['’]t|limited|nicht|kein|pas|soon|will|outside|except)\b|ない|ません/iu.test(text)
    ? true
    : undefined;
}

const patternByCountry = new Map<string, RegExp>();

function getCountryPattern(country: string): RegExp {
  const pattern = patternByCountry.get(country) ?? compileCountryPattern(country);
  patternByCountry.set(country, pattern);
  return pattern;
}

function compileCountryPattern(country: string): RegExp {
  const names = COUNTRY_NAME_LANGUAGES.map(
    (language) => new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country,
  );
  const all = [...names, ...(COUNTRY_ALIASES[country]?.split("|") ?? [])];
  const escaped = all.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  // Case-sensitive: "us" is no country.
  return new RegExp(String.raw`(?<![\p{L}])(?:${escaped.join("|")})(?![\p{Script=Latin}])`, "u");
}

/** Phrases that deny a feature without a negation. */
const FEATURE_OPPOSITES: readonly (readonly [feature: RegExp, said: RegExp])[] = [
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
/** Words that mark a feature as partial, optional or possible. */
const PARTIAL_FEATURE_PATTERN =
  /\b(?:optional(?:ly)?|some|certain|select|could|might|may|may not|add-on|sold separately|upgrade|future|if|want|need|needs|require|looking|consider|depending|variants?|trims?|limited|partial(?:ly)?|almost|not all|teilweise|optional\p{L}*|en option|opcional\p{L}*)(?!\p{L})|[/／](?= ?no\b)/iu;
const MAX_WORD_DISTANCE = 40;

function checkFeature(
  { attribute, hasFeature }: { attribute: string; hasFeature: boolean },
  sentences: readonly Sentence[],
): StatementVerdict | undefined {
  const words = buildAttributePatterns(attribute);
  let otherwise: StatementVerdict | undefined;
  for (const sentence of sentences) {
    const said = statesFeature(attribute, words, sentence);
    if (said === undefined) continue;
    if (said === hasFeature) return { verdict: "agreed", statement: sentence };
    otherwise ??= { verdict: "contradicted", statement: sentence };
  }
  return otherwise;
}

/** True if a text says that the product has the feature; undefined if uncertain. */
function statesFeature(attribute: string, words: readonly RegExp[], sentence: Sentence): boolean | undefined {
  const { text, label } = sentence;
  if (findFeatureSpan(label, words)) return parseFeatureCell(text);
  const opposite = FEATURE_OPPOSITES.find(([feature, said]) => feature.test(attribute) && said.test(text))?.[1].exec(
    text,
  );
  const span = opposite
    ? { start: opposite.index, end: opposite.index + opposite[0].length }
    : findFeatureSpan(text, words);
  if (!span || !isPlainStatement(sentence)) return undefined;
  const clause = text.slice(Math.max(0, span.start - MAX_WORD_DISTANCE), span.end + MAX_WORD_DISTANCE / 2);
  if (PARTIAL_FEATURE_PATTERN.test(clause)) return undefined;
  const isSaid = !isNegated(text, span.start, span.end);
  return opposite ? (isSaid ? false : undefined) : isSaid;
}

function parseFeatureCell(text: string): boolean | undefined {
  const cell = text.trim();
  if (/^(?:\*\*)?(?:yes|ja|oui|sí|✓|✔|✅|はい|あり|included|standard)(?![\p{L}])/iu.test(cell)) return true;
  return /^(?:\*\*)?(?:no|none|nein|kein|non|✗|✘|❌|なし|いいえ)(?![\p{L}])/iu.test(cell) ? false : undefined;
}

/** Shortest span that holds all words of a feature close together. */
function findFeatureSpan(text: string, words: readonly RegExp[]): { start: number; end: number } | undefined {
  const matches = words.map((word) => word.exec(text));
  if (matches.length === 0 || matches.some((place) => place === null)) return undefined;
  const found = matches.flatMap((place) => (place ? [place] : []));
  const start = Math.min(...found.map(({ index }) => index));
  const end = Math.max(...found.map(({ index, 0: said }) => index + said.length));
  return end - start <= MAX_WORD_DISTANCE ? { start, end } : undefined;
}

const NEGATION_BEFORE_PATTERN =
  /\b(?:no|not|without|lacks?|lacking|missing|isn['’]t|aren['’]t|doesn['’]t|don['’]t|cannot|can['’]t|won['’]t|never|non|minus|skips?|omits?|kein\p{L}*|nicht|ohne|fehlt|pas|sans|aucune?|no tiene|sin|ningun\p{L}*|ningún)(?![\p{L}])[^,;.:—()]{0,28}$|\bnon-$/iu;
const NOT_ONLY_PATTERN =
  /\bnot (?:only|just|merely)\b|\bno (?:doubt|wonder|longer just)\b|\bnicht nur\b|\bno sólo\b|\bno solo\b/giu;
const NEGATION_AFTER_PATTERN =
  /^(?:[- ]free\b|less\b|[^,;.:—]{0,14}\b(?:(?:is|are) (?:missing|absent|not)|not (?:included|supported|available|possible|compatible)|isn['’]t|aren['’]t|fehlt|fehlen)|.{0,6}(?:なし|無し|ありません|ない|非対応|未対応|できません))/iu;

function isNegated(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 60), start).replaceAll(NOT_ONLY_PATTERN, "");
  return NEGATION_BEFORE_PATTERN.test(before) || NEGATION_AFTER_PATTERN.test(text.slice(end, end + 40));
}
