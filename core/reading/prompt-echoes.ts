import type { Span } from "./capture.ts";
import { wordList } from "../shared/words.ts";
import type { Found } from "./aliases/find-aliases.ts";
import { foldText } from "./aliases/text-folding.ts";
import type { FoldedText } from "./aliases/text-folding.ts";
import { overlaps } from "./aliases/text-masks.ts";

/**
 * Folded function words of questions and announcements in five languages, which do not distinguish
 * a rephrased prompt. Judging words such as "better" are included because only questions, headings
 * and lead-ins are compared.
 */
const QUESTION_WORDS = wordList("question");

/** Placeholder for each letter of a name; keeps offsets. */
const NAME = "\uE000";
/** Max length of a sentence that can repeat the prompt, in code units. */
const LONGEST_ECHO = 300;

export const SENTENCE_END =
  /[!?。！？]+|(?<!\b(?:vs|bzw|etc|ca|inc|co|corp|dr|mr|ms|st))\.{1,9}(?=["'”»)*_]*(?:\s|$))/g;
const ITEM = /^\s*(?:[-*•‣◦–]|#?\d{1,2}[.):])\s|^\s*\|/;
const HEADING = /^\s*(?:#{1,6}\s|(?:\*\*|__)[^*_]+(?:\*\*|__):?\s*$)|[:：][*_\s]*$/;
const QUESTION = /[?？]["'”»)*_\s]*$|(?:です|ます|でしょう)か。?\s*$/;

/** Sentences that only announce the answer: "Here is a comparison of", "You asked whether". */
const ANNOUNCES = new RegExp(
  [
    String.raw`^(?:\w+[,!] )?(?:here(?:'s| is| are)|below (?:is|are|you)|let(?:'s| me| us) |i(?:'ll| will| can) (?:compare|look|break|walk|give|explain|help|go)|you(?:'re| are|'ve)? (?:ask|want to know|would like|currently|already|have |use |own |using |looking )|your question|thanks? (?:you )?for asking|(?:great|good) question|sorry to hear|i understand that you|it sounds like)`,
    String.raw`^(?:\w+[,!] )?(?:hier (?:ist|sind|findest|finden|kommt|ein|mein)|nachfolgend|im folgenden|du (?:fragst|mochtest|willst)|sie (?:fragen|mochten)|lass uns|schauen wir|zu (?:deiner|ihrer) frage|gerne? |(?:du|sie) (?:hast|haben|nutzt|nutzen|besitzt|besitzen|verwendest|verwenden|suchst|suchen) |schade, dass)`,
    String.raw`^(?:\w+ ?[,!] )?(?:voici|voila|(?:vous|tu) (?:demande|veux|voule|souhaite|cherche|avez|as |utilise|possede)|regardons|comparons|votre question|ta question)`,
    String.raw`^(?:\w+[,!] |¡\w+! )?(?:aqui (?:tienes|esta|van|te|hay)|a continuacion|me preguntas|preguntas |quieres saber|veamos|tu pregunta|(?:tienes|usas|utilizas|buscas|lamento que) )`,
    String.raw`${NAME}[^。]*?(?:比較し|ご紹介し|説明し|解説し|まとめ|お答えし|見てい)(?:て|ま)|(?:以下|次)の(?:通り|とおり)|^ご質問|お(?:使い|探し|持ち|考え)(?:で|の|に)`,
  ].join("|"),
  "u",
);
/**
 * Lead-ins before the statement: "When it comes to X and Y,", "Whether X or Y is better depends".
 */
const LEADS_IN = new RegExp(
  [
    String.raw`^(?:when it comes to|whether|if you(?:'re| are) (?:choosing|deciding|comparing|torn|considering|wondering|looking)|as for|regarding|concerning|in terms of|comparing|(?:choosing|deciding) between|the (?:question|choice|decision|comparison) |it depends|between |speaking of|to (?:compare|answer))`,
    String.raw`^(?:wenn es um|ob |was ${NAME}|in bezug auf|bezuglich|(?:im|beim) vergleich|die (?:wahl|frage|entscheidung)|zwischen |wenn du |wenn sie )`,
    String.raw`^(?:en ce qui concerne|concernant|quant a|si (?:vous|tu) hesite|(?:la question|le choix|la comparaison) |savoir si|pour comparer|entre |choisir entre|au sujet|a propos|s'agissant|si (?:vous|tu) compare)`,
    String.raw`^(?:en cuanto a|(?:con )?respecto a|si (?:dudas|estas|esta) |la (?:eleccion|comparacion|pregunta|duda|decision) |elegir entre|entre |comparando|hablando de|saber si|si (?:existe|hay) )`,
    String.raw`^[^。、]{0,40}${NAME}[^。]*?(?:について|に関して|を比べ|を比較すると|どちら[^。、]*か(?:は|に)|かどうか)`,
  ].join("|"),
  "u",
);
/** Repetitions of facts in the prompt: "Since you use X,". */
const TOLD_BACK = new RegExp(
  [
    "^(?:since|as|because|given that|now that) you ",
    "^(?:da|weil) (?:du|sie) ",
    "^(?:comme|puisque) (?:vous|tu) ",
    "^(?:como|ya que) (?:tienes|usas|utilizas|buscas) ",
  ].join("|"),
);
const AND = "(?:and|or|und|oder|et|ou|y|o|e|u)";
/** End of a lead-in. A comma within a list of names does not end it. */
const STATEMENT = new RegExp(
  String.raw`(?<!${NAME}),(?!\d)|,(?!\d| (?:${AND} ${NAME}|${NAME}+(?:,| ${AND} )))|[:：;—、]| [–-] | (?:depends?|comes|hangt|kommt|depend|depende)\b`,
  "gu",
);

/**
 * Names in questions, headings and lead-ins that only rephrase the prompt. `found` is ascending;
 * `asked` has the catalog indexes of the brands in the prompt.
 */
export function echoedNames(text: FoldedText, prompt: string, found: readonly Found[], asked: Set<number>): Set<Found> {
  const echoed = new Set<Found>();
  if (!found.some(({ walk }) => asked.has(walk.brand))) return echoed;
  const covered = covering(text.lower, found);
  const known = contentOf(foldText(prompt).lower);
  for (const { sentence, names } of namesBySentence(covered, found)) {
    const isShort = sentence.end - sentence.start <= LONGEST_ECHO;
    if (!isShort || !names.some(({ walk }) => asked.has(walk.brand))) continue;
    const echo = echoIn(covered, sentence, { names, asked, known });
    for (const name of names) {
      if (echo && asked.has(name.walk.brand) && overlaps([echo], name.start, name.end)) echoed.add(name);
    }
  }
  return echoed;
}

function namesBySentence(covered: string, found: readonly Found[]): { sentence: Span; names: Found[] }[] {
  const groups: { sentence: Span; names: Found[] }[] = [];
  for (const name of found) {
    const open = groups.at(-1);
    if (open && name.start < open.sentence.end) open.names.push(name);
    else groups.push({ sentence: sentenceAround(covered, name), names: [name] });
  }
  return groups;
}

/** Replaces each name by placeholders of equal length. */
function covering(lower: string, found: readonly Found[]): string {
  let from = 0;
  let covered = "";
  for (const { start, end } of found) {
    covered += lower.slice(from, start) + NAME.repeat(end - start);
    from = end;
  }
  return covered + lower.slice(from);
}

/** Sentence around the name within its line, with its end mark. */
function sentenceAround(covered: string, name: Span): Span {
  const line = lineAround(covered, name);
  let { start } = line;
  let { end } = line;
  for (const mark of covered.slice(line.start, line.end).matchAll(SENTENCE_END)) {
    const at = line.start + mark.index + mark[0].length;
    if (at <= name.start) start = at;
    else {
      end = at;
      break;
    }
  }
  return { start, end };
}

function lineAround(covered: string, { start, end }: Span): Span {
  const floor = Math.max(0, start - 2 * LONGEST_ECHO);
  const before = covered.slice(floor, start).lastIndexOf("\n");
  const after = covered.slice(end, end + 2 * LONGEST_ECHO).indexOf("\n");
  return {
    start: before === -1 ? floor : floor + before + 1,
    end: after === -1 ? Math.min(covered.length, end + 2 * LONGEST_ECHO) : end + after,
  };
}

interface Asked {
  /** Names in the sentence. */
  names: readonly Found[];
  asked: Set<number>;
  /** Content words of the prompt. */
  known: readonly string[];
}

/** Part of a sentence that repeats the prompt. */
function echoIn(covered: string, sentence: Span, by: Asked): Span | undefined {
  const whole = covered.slice(sentence.start, sentence.end);
  if (ITEM.test(whole)) return undefined;
  const content = whole.replace(/^[\s"'“„«*_#>]+/, "");
  const start = sentence.end - content.length;
  if (QUESTION.test(content)) return repeats(covered, { start, end: sentence.end }, by, 1);
  if (ANNOUNCES.test(content)) return repeats(covered, { start, end: start + clauseEnd(content, /[:：]/g) }, by, 1);
  if (TOLD_BACK.test(content)) return repeats(covered, { start, end: start + clauseEnd(content, STATEMENT) }, by, 1);
  if (LEADS_IN.test(content)) return repeats(covered, { start, end: start + clauseEnd(content, STATEMENT) }, by, 2);
  const isTitle = HEADING.test(whole) || opensText(covered, sentence, content);
  return isTitle ? repeats(covered, { start, end: sentence.end }, by, 2) : undefined;
}

/** Offset of the first end mark after the first name. */
function clauseEnd(content: string, ends: RegExp): number {
  const name = content.indexOf(NAME);
  for (const { index } of content.matchAll(ends)) if (index > name) return index;
  return content.length;
}

/** True for a short first line without a sentence end, which is a title. */
function opensText(covered: string, { start, end }: Span, content: string): boolean {
  if (start > LONGEST_ECHO || covered.charAt(end) !== "\n") return false;
  return covered.slice(0, start).trim() === "" && content.length <= 100 && !/[.!。！,]["'”»)*_\s]*$/.test(content);
}

/**
 * Returns the span if it repeats at least `least` words or names of the prompt and adds little
 * else.
 */
function repeats(covered: string, stretch: Span, { names, asked, known }: Asked, least: number): Span | undefined {
  const inside = names.filter(({ start, end }) => start < stretch.end && end > stretch.start);
  const brands = new Set(inside.map(({ walk }) => walk.brand));
  const words = contentOf(covered.slice(stretch.start, stretch.end));
  const repeated = words.filter((word) => known.some((other) => alike(word, other))).length;
  const others = [...brands].filter((brand) => !asked.has(brand)).length;
  const said = repeated + brands.size - others;
  return said >= least && 2 * (words.length - repeated + others) < said + 1 ? stretch : undefined;
}

/** Content words of a folded text without names; for Japanese, runs of Kanji and Katakana. */
function contentOf(lower: string): string[] {
  const words = lower.match(/[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+|[\p{L}\p{N}]+/gu) ?? [];
  return words.filter(
    (word) => word.length > 1 && !/^[\p{Script=Hiragana}\uE000]/u.test(word) && !QUESTION_WORDS.has(word),
  );
}

/** True for equal words and words with a common stem. */
function alike(one: string, other: string): boolean {
  const length = Math.max(4, Math.min(6, one.length - 2, other.length - 2));
  return one === other || (one.length >= length && one.slice(0, length) === other.slice(0, length));
}
