import { wordList } from "../../shared/words.ts";
import type { FoundAlias } from "./find-aliases.ts";
import type { FoldedText } from "./text-folding.ts";

/** Line prefix of a list item or heading: markers, then opening emphasis. */
const ITEM_PREFIX_PATTERN =
  /^[ \t]*(?:[-*•‣◦–>#|]|\d{1,2}[.):])(?:[- \t*•‣◦–>#|]|\d{1,2}[.):])*(?:[_"“][*_"“]*)?$|^[ \t]*__$/;
/** End of an item's label, after closing emphasis. */
const LABEL_END_PATTERN = /^(?:\*\*|__|[*_"”]*\s*(?:$|\n|[:：|\t(（]|—|\s[–—-]{1,2}\s))|^[*_"”]*\s[–—-]{1,2}\s/;
/** End of a label on an unmarked line. */
const LINE_LABEL_END_PATTERN = /^[*_"”]*(?:$|[ \t]*\n|[ \t]*[|\t]|\s?—|\s[–—-]{1,2}\s)/;
const NAME_JOINT_PATTERN = /^[\s*_]*(?:[,/&、]|\b(?:and|or|vs\.?|und|oder|et|ou|y|o)\b|と|や)[\s*_]*$/;
const NAME_CONTINUATION_PATTERN =
  /^[ -](?:\p{Ll}?\p{Lu}|\p{L}+\d|[\p{Script=Katakana}\p{Script=Han}\p{Script=Hiragana}])/u;
const MAX_SIGN_LENGTH = 60;

/**
 * Plain words among the found names that are not names: at the start of a sentence without another
 * sign, or as part of an adjective. Signs are a possessive, a typical verb, a label, a joined name,
 * more of the name, another mention of the brand, or a cited domain. `found` is ascending; `cited`
 * returns catalog indexes.
 */
export function findPlainWords(
  text: FoldedText,
  names: readonly FoundAlias[],
  { cited, isOneCase }: { cited: () => ReadonlySet<number>; isOneCase: boolean },
): Set<FoundAlias> {
  const doubtful: FoundAlias[] = [];
  const words = new Set<FoundAlias>();
  const named = new Set<number>();
  for (const [index, name] of names.entries()) {
    const isWord = name.walk.isPlainWord && isDoubtful(text.cased, name, isOneCase);
    if (!isWord) named.add(name.walk.brand);
    else if (ADJECTIVE_SUFFIX_PATTERN.test(text.cased.slice(name.end, name.end + 2))) words.add(name);
    else if (hasSign(text, name, names[index + 1])) named.add(name.walk.brand);
    else doubtful.push(name);
  }
  const isKnown = ({ walk }: FoundAlias) => named.has(walk.brand) || cited().has(walk.brand);
  for (const name of doubtful) if (name.walk.isSentenceOpener || !isKnown(name)) words.add(name);
  return words;
}

/** True for a sentence opener before a lower-case word: "Nothing beats them". */
export function isOpenerAsWord(cased: string, { walk, start, end }: FoundAlias): boolean {
  return walk.isSentenceOpener && isSentenceStart(cased, start) && /^ \p{Ll}/u.test(cased.slice(end, end + 3));
}

function isDoubtful(cased: string, name: FoundAlias, oneCase: boolean): boolean {
  if (ADJECTIVE_SUFFIX_PATTERN.test(cased.slice(name.end, name.end + 2))) return true;
  if (oneCase && name.walk.isSentenceOpener) return true;
  return isSentenceStart(cased, name.start);
}

/** Start of a sentence or item. False for a name glued to a mark, which opens a table cell. */
function isSentenceStart(cased: string, start: number): boolean {
  const before = cased.slice(Math.max(0, start - 12), start);
  const mark = before.replace(/(?<![\s"'“”„«(¿¡*_#>•-])[\s"'“”„«(¿¡*_#>•-]+$/, (gap) =>
    gap.includes("\n") ? "\n" : "",
  );
  return mark === "" || /[。！？：\n]$/.test(mark) || (mark.length < before.length && /[.!?:]$/.test(mark));
}

function hasSign({ cased, lower }: FoldedText, name: FoundAlias, next: FoundAlias | undefined): boolean {
  const { start, end, walk } = name;
  const after = cased.slice(end, end + MAX_SIGN_LENGTH);
  if (after.startsWith("'") || isLabel(cased, start, after)) return true;
  if (walk.isSentenceOpener && /^ \p{Ll}/u.test(after)) return false;
  if (NAME_CONTINUATION_PATTERN.test(after) || NAME_PARTICLE_PATTERN.test(after)) return true;
  if (next && next.start - end < MAX_SIGN_LENGTH && NAME_JOINT_PATTERN.test(lower.slice(end, next.start))) return true;
  const [, first = "", second = ""] =
    /^ ([\p{L}']+)(?: ([\p{L}']+))?/u.exec(lower.slice(end, end + MAX_SIGN_LENGTH)) ?? [];
  return NAME_VERBS.has(first) || (NAME_ADVERBS.has(first) && NAME_VERBS.has(second));
}

function isLabel(cased: string, start: number, after: string): boolean {
  const before = cased.slice(Math.max(0, start - MAX_SIGN_LENGTH), start);
  const lead = before.slice(before.lastIndexOf("\n") + 1);
  return ITEM_PREFIX_PATTERN.test(lead)
    ? LABEL_END_PATTERN.test(after)
    : /^[ \t*_]*$/.test(lead) && LINE_LABEL_END_PATTERN.test(after);
}

/** Folded third-person verbs ("Linear offers"), without plural nouns ("Visa rules"). */
const NAME_VERBS = wordList("name_verbs");
const NAME_ADVERBS = wordList("name_adverbs");

/** Japanese particles without "な", which forms an adjective ("シャープな輪郭"). */
const NAME_PARTICLE_PATTERN = /^\s?(?:は|が|の|を|も|なら|では|でも|には|と|や|へ|から|より|、|製)/;
const ADJECTIVE_SUFFIX_PATTERN = /^な(?!ら)/;
