import type { Span } from "./capture.ts";
import { wordList } from "../shared/words.ts";
import type { FoundAlias } from "./aliases/find-aliases.ts";
import { foldText, type FoldedText } from "./aliases/text-folding.ts";
import { overlapsMask } from "./aliases/text-masks.ts";

/**
 * Folded function words of questions and announcements in five languages, which do not distinguish
 * a rephrased prompt. Judging words such as "better" are included because only questions, headings
 * and lead-ins are compared.
 */
const QUESTION_WORDS = wordList("question");

/** Placeholder for each letter of a name; keeps offsets. */
const ECHO_NAME_PLACEHOLDER = "\uE000";
/** Max length of a sentence that can repeat the prompt, in code units. */
const MAX_ECHO_LENGTH = 300;

export const SENTENCE_END_PATTERN =
  /[!?。！？]+|(?<!\b(?:vs|bzw|etc|ca|inc|co|corp|dr|mr|ms|st))\.{1,9}(?=["'”»)*_]*(?:\s|$))/g;
const ITEM_LINE_PATTERN = /^\s*(?:[-*•‣◦–]|#?\d{1,2}[.):])\s|^\s*\|/;
const HEADING_LINE_PATTERN = /^\s*(?:#{1,6}\s|(?:\*\*|__)[^*_]+(?:\*\*|__):?\s*$)|[:：][*_\s]*$/;
const QUESTION_END_PATTERN = /[?？]["'”»)*_\s]*$|(?:です|ます|でしょう)か。?\s*$/;

/** Sentences that only announce the answer: "Here is a comparison of", "You asked whether". */
const ANNOUNCEMENT_PATTERN = new RegExp(
  [
    String.raw`^(?:\w+[,!] )?(?:here(?:'s| is| are)|below (?:is|are|you)|let(?:'s| me| us) |i(?:'ll| will| can) (?:compare|look|break|walk|give|explain|help|go)|you(?:'re| are|'ve)? (?:ask|want to know|would like|currently|already|have |use |own |using |looking )|your question|thanks? (?:you )?for asking|(?:great|good) question|sorry to hear|i understand that you|it sounds like)`,
    String.raw`^(?:\w+[,!] )?(?:hier (?:ist|sind|findest|finden|kommt|ein|mein)|nachfolgend|im folgenden|du (?:fragst|mochtest|willst)|sie (?:fragen|mochten)|lass uns|schauen wir|zu (?:deiner|ihrer) frage|gerne? |(?:du|sie) (?:hast|haben|nutzt|nutzen|besitzt|besitzen|verwendest|verwenden|suchst|suchen) |schade, dass)`,
    String.raw`^(?:\w+ ?[,!] )?(?:voici|voila|(?:vous|tu) (?:demande|veux|voule|souhaite|cherche|avez|as |utilise|possede)|regardons|comparons|votre question|ta question)`,
    String.raw`^(?:\w+[,!] |¡\w+! )?(?:aqui (?:tienes|esta|van|te|hay)|a continuacion|me preguntas|preguntas |quieres saber|veamos|tu pregunta|(?:tienes|usas|utilizas|buscas|lamento que) )`,
    String.raw`${ECHO_NAME_PLACEHOLDER}[^。]*?(?:比較し|ご紹介し|説明し|解説し|まとめ|お答えし|見てい)(?:て|ま)|(?:以下|次)の(?:通り|とおり)|^ご質問|お(?:使い|探し|持ち|考え)(?:で|の|に)`,
  ].join("|"),
  "u",
);
/** Before the statement: "When it comes to X and Y,", "Whether X or Y is better depends". */
const LEAD_IN_PATTERN = new RegExp(
  [
    String.raw`^(?:when it comes to|whether|if you(?:'re| are) (?:choosing|deciding|comparing|torn|considering|wondering|looking)|as for|regarding|concerning|in terms of|comparing|(?:choosing|deciding) between|the (?:question|choice|decision|comparison) |it depends|between |speaking of|to (?:compare|answer))`,
    String.raw`^(?:wenn es um|ob |was ${ECHO_NAME_PLACEHOLDER}|in bezug auf|bezuglich|(?:im|beim) vergleich|die (?:wahl|frage|entscheidung)|zwischen |wenn du |wenn sie )`,
    String.raw`^(?:en ce qui concerne|concernant|quant a|si (?:vous|tu) hesite|(?:la question|le choix|la comparaison) |savoir si|pour comparer|entre |choisir entre|au sujet|a propos|s'agissant|si (?:vous|tu) compare)`,
    String.raw`^(?:en cuanto a|(?:con )?respecto a|si (?:dudas|estas|esta) |la (?:eleccion|comparacion|pregunta|duda|decision) |elegir entre|entre |comparando|hablando de|saber si|si (?:existe|hay) )`,
    String.raw`^[^。、]{0,40}${ECHO_NAME_PLACEHOLDER}[^。]*?(?:について|に関して|を比べ|を比較すると|どちら[^。、]*か(?:は|に)|かどうか)`,
  ].join("|"),
  "u",
);
/** Matches repetitions of facts in the prompt: "Since you use X,". */
const REPEATED_FACT_PATTERN = new RegExp(
  [
    "^(?:since|as|because|given that|now that) you ",
    "^(?:da|weil) (?:du|sie) ",
    "^(?:comme|puisque) (?:vous|tu) ",
    "^(?:como|ya que) (?:tienes|usas|utilizas|buscas) ",
  ].join("|"),
);
const CONJUNCTION_PATTERN = "(?:and|or|und|oder|et|ou|y|o|e|u)";
/** Matches the end of a lead-in. A comma within a list of names does not end it. */
const LEAD_IN_END_PATTERN = new RegExp(
  String.raw`(?<!${ECHO_NAME_PLACEHOLDER}),(?!\d)|,(?!\d| (?:${CONJUNCTION_PATTERN} ${ECHO_NAME_PLACEHOLDER}|${ECHO_NAME_PLACEHOLDER}+(?:,| ${CONJUNCTION_PATTERN} )))|[:：;—、]| [–-] | (?:depends?|comes|hangt|kommt|depend|depende)\b`,
  "gu",
);

/** `found` is ascending; `asked` has the catalog indexes of the brands in the prompt. */
export function findEchoedNames(
  text: FoldedText,
  prompt: string,
  found: readonly FoundAlias[],
  brands: Set<number>,
): Set<FoundAlias> {
  const echoed = new Set<FoundAlias>();
  if (!found.some(({ walk }) => brands.has(walk.brand))) return echoed;
  const covered = maskNames(text.lower, found);
  const promptWords = extractContentWords(foldText(prompt).lower);
  for (const { sentence, foundNames } of groupBySentence(covered, found)) {
    const isShort = sentence.end - sentence.start <= MAX_ECHO_LENGTH;
    if (!isShort || !foundNames.some(({ walk }) => brands.has(walk.brand))) continue;
    const echo = findEcho(covered, sentence, { foundNames, asked: brands, promptWords });
    for (const name of foundNames) {
      if (echo && brands.has(name.walk.brand) && overlapsMask([echo], name.start, name.end)) echoed.add(name);
    }
  }
  return echoed;
}

function groupBySentence(
  covered: string,
  found: readonly FoundAlias[],
): { sentence: Span; foundNames: FoundAlias[] }[] {
  const groups: { sentence: Span; foundNames: FoundAlias[] }[] = [];
  for (const name of found) {
    const open = groups.at(-1);
    if (open && name.start < open.sentence.end) open.foundNames.push(name);
    else groups.push({ sentence: findSentence(covered, name), foundNames: [name] });
  }
  return groups;
}

/** Replaces each name by placeholders of equal length. */
function maskNames(lower: string, found: readonly FoundAlias[]): string {
  let from = 0;
  let covered = "";
  for (const { start, end } of found) {
    covered += lower.slice(from, start) + ECHO_NAME_PLACEHOLDER.repeat(end - start);
    from = end;
  }
  return covered + lower.slice(from);
}

/** Sentence around the name within its line, with its end mark. */
function findSentence(covered: string, name: Span): Span {
  const line = findLine(covered, name);
  let { start } = line;
  let { end } = line;
  for (const mark of covered.slice(line.start, line.end).matchAll(SENTENCE_END_PATTERN)) {
    const at = line.start + mark.index + mark[0].length;
    if (at <= name.start) start = at;
    else {
      end = at;
      break;
    }
  }
  return { start, end };
}

function findLine(covered: string, { start, end }: Span): Span {
  const floor = Math.max(0, start - 2 * MAX_ECHO_LENGTH);
  const before = covered.slice(floor, start).lastIndexOf("\n");
  const after = covered.slice(end, end + 2 * MAX_ECHO_LENGTH).indexOf("\n");
  return {
    start: before === -1 ? floor : floor + before + 1,
    end: after === -1 ? Math.min(covered.length, end + 2 * MAX_ECHO_LENGTH) : end + after,
  };
}

interface EchoContext {
  foundNames: readonly FoundAlias[];
  asked: Set<number>;
  /** Content words of the prompt. */
  promptWords: readonly string[];
}

function findEcho(covered: string, sentence: Span, by: EchoContext): Span | undefined {
  const fullText = covered.slice(sentence.start, sentence.end);
  if (ITEM_LINE_PATTERN.test(fullText)) return undefined;
  const content = fullText.replace(/^[\s"'“„«*_#>]+/, "");
  const start = sentence.end - content.length;
  if (QUESTION_END_PATTERN.test(content)) return findRepeat(covered, { start, end: sentence.end }, by, 1);
  if (ANNOUNCEMENT_PATTERN.test(content))
    return findRepeat(covered, { start, end: start + findClauseEnd(content, /[:：]/g) }, by, 1);
  if (REPEATED_FACT_PATTERN.test(content))
    return findRepeat(covered, { start, end: start + findClauseEnd(content, LEAD_IN_END_PATTERN) }, by, 1);
  if (LEAD_IN_PATTERN.test(content))
    return findRepeat(covered, { start, end: start + findClauseEnd(content, LEAD_IN_END_PATTERN) }, by, 2);
  const isTitle = HEADING_LINE_PATTERN.test(fullText) || isTitleLine(covered, sentence, content);
  return isTitle ? findRepeat(covered, { start, end: sentence.end }, by, 2) : undefined;
}

/** Offset of the first end mark after the first name. */
function findClauseEnd(content: string, ends: RegExp): number {
  const name = content.indexOf(ECHO_NAME_PLACEHOLDER);
  for (const { index } of content.matchAll(ends)) if (index > name) return index;
  return content.length;
}

/** True for a short first line without a sentence end, which is a title. */
function isTitleLine(covered: string, { start, end }: Span, content: string): boolean {
  if (start > MAX_ECHO_LENGTH || covered.charAt(end) !== "\n") return false;
  return covered.slice(0, start).trim() === "" && content.length <= 100 && !/[.!。！,]["'”»)*_\s]*$/.test(content);
}

/** Requires at least `least` words or names of the prompt, and little else. */
function findRepeat(covered: string, stretch: Span, { foundNames, asked, promptWords }: EchoContext, least: number) {
  const inside = foundNames.filter(({ start, end }) => start < stretch.end && end > stretch.start);
  const brands = new Set(inside.map(({ walk }) => walk.brand));
  const words = extractContentWords(covered.slice(stretch.start, stretch.end));
  const repeated = words.filter((word) => promptWords.some((other) => haveCommonStem(word, other))).length;
  const others = [...brands].filter((brand) => !asked.has(brand)).length;
  const said = repeated + brands.size - others;
  return said >= least && 2 * (words.length - repeated + others) < said + 1 ? stretch : undefined;
}

/** Content words of a folded text without names; for Japanese, runs of Kanji and Katakana. */
function extractContentWords(lower: string): string[] {
  const words = lower.match(/[\p{Script=Han}々]+|[\p{Script=Katakana}ー]+|[\p{L}\p{N}]+/gu) ?? [];
  return words.filter(
    (word) => word.length > 1 && !/^[\p{Script=Hiragana}\uE000]/u.test(word) && !QUESTION_WORDS.has(word),
  );
}

/** True for equal words and words with a common stem. */
function haveCommonStem(one: string, other: string): boolean {
  const length = Math.max(4, Math.min(6, one.length - 2, other.length - 2));
  return one === other || (one.length >= length && one.slice(0, length) === other.slice(0, length));
}
