import { wordList } from "../../shared/words.ts";
import type { Found } from "./find-aliases.ts";
import type { FoldedText } from "./text-folding.ts";

/** Line prefix of a list item or heading: markers, then opening emphasis. */
const ITEM = /^[ \t]*(?:[-*•‣◦–>#|]|\d{1,2}[.):])(?:[- \t*•‣◦–>#|]|\d{1,2}[.):])*(?:[_"“][*_"“]*)?$|^[ \t]*__$/;
/** End of an item's label, after closing emphasis. */
const ENDS_LABEL = /^(?:\*\*|__|[*_"”]*\s*(?:$|\n|[:：|\t(（]|—|\s[–—-]{1,2}\s))|^[*_"”]*\s[–—-]{1,2}\s/;
/** End of a label on an unmarked line. */
const ENDS_LINE = /^[*_"”]*(?:$|[ \t]*\n|[ \t]*[|\t]|\s?—|\s[–—-]{1,2}\s)/;
const JOINS = /^[\s*_]*(?:[,/&、]|\b(?:and|or|vs\.?|und|oder|et|ou|y|o)\b|と|や)[\s*_]*$/;
const WHOLE_NAME = /^[ -](?:\p{Ll}?\p{Lu}|\p{L}+\d|[\p{Script=Katakana}\p{Script=Han}\p{Script=Hiragana}])/u;
const LONGEST_SIGN = 60;

/**
 * Plain words among the found names that are not names: at the start of a sentence without another
 * sign, or as part of an adjective. Signs are a possessive, a typical verb, a label, a joined name,
 * more of the name, another mention of the brand, or a cited domain. `found` is ascending; `cited`
 * returns catalog indexes.
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

/** True for a sentence opener before a lower-case word: "Nothing beats them". */
export function opensAsWord(cased: string, { walk, start, end }: Found): boolean {
  return walk.opener && opensSentence(cased, start) && /^ \p{Ll}/u.test(cased.slice(end, end + 3));
}

function isDoubtful(cased: string, name: Found, oneCase: boolean): boolean {
  if (MAKES_ADJECTIVE.test(cased.slice(name.end, name.end + 2))) return true;
  if (oneCase && name.walk.opener) return true;
  return opensSentence(cased, name.start);
}

/**
 * True at the start of a sentence or item: "Nothing beats them", "- Target narrow groups". False
 * for a name glued to a mark, which opens a table cell.
 */
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
 * Folded third-person verbs that follow a name ("Linear offers"), without plural nouns ("Visa
 * rules", "Box plots").
 */
const NAME_VERBS = wordList("name_verbs");
/** Folded words allowed between a name and its verb. */
const NAME_ADVERBS = wordList("name_adverbs");

/** Japanese particles and marks after a noun. "な" forms an adjective ("シャープな輪郭"). */
const NAME_PARTICLES = /^\s?(?:は|が|の|を|も|なら|では|でも|には|と|や|へ|から|より|、|製)/;
const MAKES_ADJECTIVE = /^な(?!ら)/;
