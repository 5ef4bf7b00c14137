import type { Span } from "../capture.ts";
import { toSiteName } from "../../brands/known-sites.ts";

/**
 * Folded headings of source lists in answers, after the Chicago Manual of Style ("References",
 * "Works Cited"), Duden ("Quellenangabe"), Le Robert ("Références"), the Diccionario de la lengua
 * española ("fuente", "referencia") and SIST 02 (参考文献).
 */
const SOURCE_WORDS = [
  "(?:cited |key |primary |web |data )?sources?(?: cited| used| consulted)?",
  "references?(?: cited)?",
  "works cited",
  "citations?",
  "footnotes?",
  "further reading",
  "bibliography",
  "quellen?",
  "quellenangaben?",
  "quellenverzeichnis",
  "einzelnachweise",
  "literaturverzeichnis",
  "fussnoten",
  "weiterfuhrende links",
  "(?:sources? et )?references?(?: bibliographiques)?",
  "bibliographie",
  "fuentes?(?: consultadas| citadas)?",
  "referencias(?: bibliograficas)?",
  "bibliografia",
  "fonti",
  "出典(?:元)?",
  "参考(?:文献|資料|リンク|サイト|情報|url)?",
  "情報源",
  "引用元?",
  "ソース",
  "脚注",
].join("|");

/** Max length of a source heading, chip or fence, in code units. */
const MAX_HEADING_LENGTH = 60;
const SOURCE_HEADING_PATTERN = new RegExp(
  String.raw`^[\s>]*(?:#{1,6}\s*)?[*_]{0,3}(?:${SOURCE_WORDS})\s*(?:[*_]{1,3}\s*)?(?:[:：][*_]{0,3}\s*|[*_]{1,3}\s*)?$`,
);
const INLINE_SOURCES_PATTERN = new RegExp(String.raw`^[\s>•*_-]*(?:${SOURCE_WORDS})[*_]*\s?[:：]`);
const BRACKETED_SOURCES_PATTERN = new RegExp(
  String.raw`[(（[](?:${SOURCE_WORDS})\s?[:：][^)）\]\n]{0,200}[)）\]]`,
  "g",
);
/** Matches footnote definitions: "[^1]: …", "[2]: …". */
const FOOTNOTE_PATTERN = /^\s*\[\^?[\w-]{1,20}\]:/;
/** Matches a source label with the number of further sources: "Sony+1". */
const SOURCE_CHIP_PATTERN = /^\s*(?:[-*•]\s*)?[^\n.!?:$€£¥]{1,40}[^\s+]\s?\+\d{1,2}\s*$/;
const CODE_FENCE_PATTERN = /^\s{0,3}(?:[-*•]\s+)?(`{3,}|~{3,})([^`~\n\r\u2028\u2029].*)?$/;
/** Matches fence languages that hold prose, not code. */
const PROSE_FENCE_PATTERN = /^\s*(?:markdown|md|text|txt|plaintext)\s*$/i;
const LIST_ITEM_PATTERN = /^\s*(?:[-*•‣◦–]\s|\[?\^?\d{1,3}[\].):]|https?:|www\.|\[)/;

/** Whole lines and parts of lines of a folded text; `targets` are its link targets. */
export function findSourcesAndCode(cased: string, lower: string, targets: readonly Span[]): Span[] {
  // Uses concat instead of push(...): a long answer has more masks than a call may have arguments.
  return findLineMasks(lower).concat(
    lower.includes("`") ? findMatches(lower, /(`{1,2})(?!`)[^`\n]{1,200}\1/g) : [],
    lower.includes("†") || lower.includes("‡")
      ? findMatches(lower, /【[^】\n]{0,200}】|\[[^[\]\n‡]{0,40}‡[^\]\n]{0,200}\]/g)
      : [],
    lower.includes("\uE200") ? findMatches(lower, /\uE200[^\uE201\n]{0,400}\uE201?/g) : [],
    lower.includes("![") ? findMatches(lower, /!\[[^\]\n]{0,500}\]/g) : [],
    /[:：]/.test(lower) ? findMatches(lower, BRACKETED_SOURCES_PATTERN) : [],
    lower.includes("](") ? findCitingLinks(cased, lower, targets) : [],
  );
}

function findMatches(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ start: index, end: index + match.length }));
}

interface OpenBlock {
  fence: { openingMark: string; isCode: boolean } | undefined;
  sources: { isList: boolean; hasBegun: boolean; isAfterBlankLine: boolean } | undefined;
}

/** Fast test: outside source sections, other lines are masked only if they start like a heading. */
const MASK_HINT_PATTERN = /`{3}|~{3}|\]:|\+/;
const HEADING_START_PATTERN = new RegExp(String.raw`(?:[^\S\n]|[>#•*_-])*(?:${SOURCE_WORDS})`, "y");

function findLineMasks(lower: string): Span[] {
  const masks: Span[] = [];
  const isMarked = MASK_HINT_PATTERN.test(lower);
  const open: OpenBlock = { fence: undefined, sources: undefined };
  for (let start = 0; start <= lower.length;) {
    const newline = lower.indexOf("\n", start);
    const end = newline === -1 ? lower.length : newline;
    HEADING_START_PATTERN.lastIndex = start;
    const mayBeMasked = isMarked || open.sources !== undefined || HEADING_START_PATTERN.test(lower);
    if (mayBeMasked && isMasked(lower, start, end, open)) masks.push({ start, end });
    start = end + 1;
  }
  return masks;
}

function isMasked(lower: string, start: number, end: number, open: OpenBlock): boolean {
  const line = lower.slice(start, Math.min(end, start + MAX_HEADING_LENGTH));
  const fence = CODE_FENCE_PATTERN.exec(line);
  const { isCode } = open.fence ?? { isCode: false };
  if (open.fence) {
    if (fence?.[1]?.startsWith(open.fence.openingMark)) open.fence = undefined;
  } else if (fence?.[1]) open.fence = { openingMark: fence[1], isCode: !PROSE_FENCE_PATTERN.test(fence[2] ?? "") };
  if (isCode || open.fence?.isCode) return true;
  if (open.sources && isInSourceSection(line, open.sources)) return line.trim() !== "";
  open.sources = undefined;
  const isShort = end - start <= MAX_HEADING_LENGTH;
  if (isShort && SOURCE_HEADING_PATTERN.test(line)) {
    open.sources = { isList: false, hasBegun: false, isAfterBlankLine: false };
    return true;
  }
  return (
    FOOTNOTE_PATTERN.test(line) ||
    INLINE_SOURCES_PATTERN.test(line) ||
    (isShort && line.includes("+") && SOURCE_CHIP_PATTERN.test(line))
  );
}

/** List items or one paragraph; a heading or another paragraph ends the section. */
function isInSourceSection(line: string, section: NonNullable<OpenBlock["sources"]>): boolean {
  if (line.trim() === "") {
    section.isAfterBlankLine = section.hasBegun;
    return true;
  }
  const isItem = LIST_ITEM_PATTERN.test(line);
  if (/^\s*#{1,6}\s/.test(line) || (section.isAfterBlankLine && !(isItem && section.isList))) return false;
  if (!section.hasBegun) section.isList = isItem;
  section.hasBegun = true;
  section.isAfterBlankLine = false;
  return true;
}

const LINK_PATTERN = String.raw`\[[^\]\n]{1,120}\]\([^)\n]{0,500}\)`;
/** Matches links alone in brackets. */
const BRACKETED_LINKS_PATTERN = new RegExp(
  String.raw`[(（]\s*${LINK_PATTERN}(?:\s*(?:[,;、·|]\s*)?${LINK_PATTERN}){0,20}\s*[)）]`,
  "g",
);
const MAX_LABEL_LENGTH = 60;
/** Matches the site name at the end of a page title: "Pans compared - Acme". */
const PAGE_TITLE_SITE_PATTERN = /(?:\s[-–—|·]\s)[^-–—|·]{2,40}$/;

/** Alone in brackets, after a sentence with the site's name, or a page title on its own line. */
function findCitingLinks(cased: string, lower: string, targets: readonly Span[]): Span[] {
  const masks = findMatches(lower, BRACKETED_LINKS_PATTERN);
  for (const { start, end } of targets) {
    const from = Math.max(0, start - MAX_LABEL_LENGTH);
    const opening = from + lower.slice(from, start - 1).lastIndexOf("[");
    if (opening < from) continue;
    const label = lower.slice(opening + 1, start - 1).replaceAll(/[^\p{L}\p{N}]/gu, "");
    const behind = /[.!?。！？)][*_"”\s]*$/.test(lower.slice(Math.max(0, opening - 4), opening));
    const isLast = /^[\s*_]*(?:\n|$|\[)/.test(lower.slice(end, end + 8));
    const title = isLast && PAGE_TITLE_SITE_PATTERN.exec(lower.slice(opening + 1, start - 1));
    if (title && opening === lower.lastIndexOf("\n", opening) + 1)
      masks.push({ start: start - 1 - title[0].length, end });
    if (behind && isLast && label === toSiteName(cased.slice(start + 1, end - 1))) masks.push({ start: opening, end });
  }
  return masks;
}
