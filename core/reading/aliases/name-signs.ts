import { wordList } from "../../shared/words.ts";
import type { Found } from "./find-aliases.ts";
import type { FoldedText } from "./text-folding.ts";

/** Line prefix of a list item or a heading: markers, then opening emphasis. */
const ITEM = /^[ \t]*(?:[-*•‣◦–>#|]|\d{1,2}[.):])(?:[- \t*•‣◦–>#|]|\d{1,2}[.):])*(?:[_"“][*_"“]*)?$|^[ \t]*__$/;
/** What ends the label of an item, emphasis closed first. */
const ENDS_LABEL = /^(?:\*\*|__|[*_"”]*\s*(?:$|\n|[:：|\t(（]|—|\s[–—-]{1,2}\s))|^[*_"”]*\s[–—-]{1,2}\s/;
/** The same where nothing marks the line. */
const ENDS_LINE = /^[*_"”]*(?:$|[ \t]*\n|[ \t]*[|\t]|\s?—|\s[–—-]{1,2}\s)/;
const JOINS = /^[\s*_]*(?:[,/&、]|\b(?:and|or|vs\.?|und|oder|et|ou|y|o)\b|と|や)[\s*_]*$/;
const WHOLE_NAME = /^[ -](?:\p{Ll}?\p{Lu}|\p{L}+\d|[\p{Script=Katakana}\p{Script=Han}\p{Script=Hiragana}])/u;
const LONGEST_SIGN = 60;

/**
 * Of the names found, ascending, the plain words that are words: those at the start of a sentence without a second sign that they are
 * names, and adjectives of them. A second sign is a possessive, a name's verb, a label, another name joined to it, more of its name behind
 * it, the same brand elsewhere in the text, or its domain among those that the answer cites (`cited` gives their places in the catalog).
 */
export function plainWords(
  text: FoldedText,
  found: readonly Found[],
  { cited, oneCase }: { cited: () => ReadonlySet<number>; oneCase: boolean },
): Set<Found> {
  const doubtful: Found[] = [];
  const words = new Set<Found>();
  const named = new Set<number>();
  for (const [place, name] of found.entries()) {
    const isWord = name.walk.ordinary && isDoubtful(text.cased, name, oneCase);
    if (!isWord) named.add(name.walk.brand);
    else if (MAKES_ADJECTIVE.test(text.cased.slice(name.end, name.end + 2))) words.add(name);
    else if (hasSign(text, name, found[place + 1])) named.add(name.walk.brand);
    else doubtful.push(name);
  }
  const isKnown = ({ walk }: Found) => named.has(walk.brand) || cited().has(walk.brand);
  for (const name of doubtful) if (name.walk.opener || !isKnown(name)) words.add(name);
  return words;
}

/** "Nothing beats them": a word that opens sentences does so, and goes on in small letters. */
export function opensAsWord(cased: string, { walk, start, end }: Found): boolean {
  return walk.opener && opensSentence(cased, start) && /^ \p{Ll}/u.test(cased.slice(end, end + 3));
}

function isDoubtful(cased: string, name: Found, oneCase: boolean): boolean {
  if (MAKES_ADJECTIVE.test(cased.slice(name.end, name.end + 2))) return true;
  if (oneCase && name.walk.opener) return true;
  return opensSentence(cased, name.start);
}

/** "Nothing beats them", "- Target narrow groups": what stands before opens a sentence. A name glued to a mark opens a cell. */
function opensSentence(cased: string, start: number): boolean {
  const before = cased.slice(Math.max(0, start - 12), start);
  const mark = before.replace(/(?<![\s"'“”„«(¿¡*_#>•-])[\s"'“”„«(¿¡*_#>•-]+$/, (gap) =>
    gap.includes("\n") ? "\n" : "",
  );
  return mark === "" || /[。！？：\n]$/.test(mark) || (mark.length < before.length && /[.!?:]$/.test(mark));
}

function hasSign({ cased, lower }: FoldedText, name: Found, next: Found | undefined): boolean {
  const { start, end, walk } = name;
  const after = cased.slice(end, end + LONGEST_SIGN);
  if (after.startsWith("'") || isLabel(cased, start, after)) return true;
  if (walk.opener && /^ \p{Ll}/u.test(after)) return false;
  if (WHOLE_NAME.test(after) || NAME_PARTICLES.test(after)) return true;
  if (next && next.start - end < LONGEST_SIGN && JOINS.test(lower.slice(end, next.start))) return true;
  const [, first = "", second = ""] =
    /^ ([\p{L}']+)(?: ([\p{L}']+))?/u.exec(lower.slice(end, end + LONGEST_SIGN)) ?? [];
  return NAME_VERBS.has(first) || (NAME_ADVERBS.has(first) && NAME_VERBS.has(second));
}

function isLabel(cased: string, start: number, after: string): boolean {
  const before = cased.slice(Math.max(0, start - LONGEST_SIGN), start);
  const lead = before.slice(before.lastIndexOf("\n") + 1);
  return ITEM.test(lead) ? ENDS_LABEL.test(after) : /^[ \t*_]*$/.test(lead) && ENDS_LINE.test(after);
}

/**
 * Folded verbs that a name takes right behind it ("Linear offers"), in the third person, and no noun's plural: "Visa rules" and "Box
 * plots" are no signs.
 */
const NAME_VERBS = wordList("name_verbs");
/** Folded words that may stand between a name and its verb. */
const NAME_ADVERBS = wordList("name_adverbs");

/** Japanese particles and marks that stand behind a noun; "な" makes an adjective of it ("シャープな輪郭"). */
const NAME_PARTICLES = /^\s?(?:は|が|の|を|も|なら|では|でも|には|と|や|へ|から|より|、|製)/;
const MAKES_ADJECTIVE = /^な(?!ら)/;
