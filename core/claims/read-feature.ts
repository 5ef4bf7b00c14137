import { wordsOf } from "./attribute-words.ts";
import { isDenied } from "./negation.ts";
import { isSure, type Said, type Sentence } from "./said.ts";

/** Who says so denies the feature. */
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
/** Has it in part, for more money, or might have it. */
const IN_PART =
  /\b(?:optional(?:ly)?|some|certain|select|could|might|may|may not|add-on|sold separately|upgrade|future|if|want|need|needs|require|looking|consider|depending|variants?|trims?|limited|partial(?:ly)?|almost|not all|teilweise|optional\p{L}*|en option|opcional\p{L}*)(?!\p{L})|[/／](?= ?no\b)/iu;
const APART = 40;

/** What is said of something that a product has or has not. */
export function readFeature(
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

/** Yes, no, or nothing that is sure. */
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

/** A cell of a column that is headed by the feature. */
function ofCell(text: string): boolean | undefined {
  const cell = text.trim();
  if (/^(?:\*\*)?(?:yes|ja|oui|sí|✓|✔|✅|はい|あり|included|standard)(?![\p{L}])/iu.test(cell)) return true;
  return /^(?:\*\*)?(?:no|none|nein|kein|non|✗|✘|❌|なし|いいえ)(?![\p{L}])/iu.test(cell) ? false : undefined;
}

/** Where all words of a feature stand close together. */
function placeOf(text: string, words: readonly RegExp[]): { start: number; end: number } | undefined {
  const places = words.map((word) => word.exec(text));
  if (places.length === 0 || places.some((place) => place === null)) return undefined;
  const found = places.flatMap((place) => (place ? [place] : []));
  const start = Math.min(...found.map(({ index }) => index));
  const end = Math.max(...found.map(({ index, 0: said }) => index + said.length));
  return end - start <= APART ? { start, end } : undefined;
}
