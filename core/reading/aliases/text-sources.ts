import type { Span } from "../capture.ts";
import { siteName } from "../../brands/known-sites.ts";

/**
 * Folded headings of the part of an answer that lists where it comes from. Kept by hand: what assistants write, in the words of the
 * Chicago Manual of Style ("References", "Works Cited"), Duden ("Quellenangabe"), Le Robert ("Références"), the Diccionario de la lengua
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

/** No heading of sources, chip or fence is read further, in code units. */
const LONGEST_HEAD = 60;
const HEADING = new RegExp(
  String.raw`^[\s>]*(?:#{1,6}\s*)?[*_]{0,3}(?:${SOURCE_WORDS})\s*(?:[*_]{1,3}\s*)?(?:[:：][*_]{0,3}\s*|[*_]{1,3}\s*)?$`,
);
const INLINE = new RegExp(String.raw`^[\s>•*_-]*(?:${SOURCE_WORDS})[*_]*\s?[:：]`);
const BRACKETED = new RegExp(String.raw`[(（[](?:${SOURCE_WORDS})\s?[:：][^)）\]\n]{0,200}[)）\]]`, "g");
/** "[^1]: …", "[2]: …" */
const DEFINITION = /^\s*\[\^?[\w-]{1,20}\]:/;
/** "Sony+1": the label of a source and how many more there are. */
const CHIP = /^\s*(?:[-*•]\s*)?[^\n.!?:$€£¥]{1,40}[^\s+]\s?\+\d{1,2}\s*$/;
const FENCE = /^\s{0,3}(?:[-*•]\s+)?(`{3,}|~{3,})([^`~\n\r\u2028\u2029].*)?$/;
/** Prose that a capture put in a fence. */
const PROSE = /^\s*(?:markdown|md|text|txt|plaintext)\s*$/i;
const LISTED = /^\s*(?:[-*•‣◦–]\s|\[?\^?\d{1,3}[\].):]|https?:|www\.|\[)/;

/**
 * Stretches of a folded text that hold code or say where something comes from: whole lines, and parts of lines. `targets` are those of its
 * links.
 */
export function sourcesAndCode(cased: string, lower: string, targets: readonly Span[]): Span[] {
  // Concatenated: a long answer has more masks than a call may have arguments.
  return lineMasks(lower).concat(
    lower.includes("`") ? matches(lower, /(`{1,2})(?!`)[^`\n]{1,200}\1/g) : [],
    lower.includes("†") || lower.includes("‡")
      ? matches(lower, /【[^】\n]{0,200}】|\[[^[\]\n‡]{0,40}‡[^\]\n]{0,200}\]/g)
      : [],
    lower.includes("\uE200") ? matches(lower, /\uE200[^\uE201\n]{0,400}\uE201?/g) : [],
    lower.includes("![") ? matches(lower, /!\[[^\]\n]{0,500}\]/g) : [],
    /[:：]/.test(lower) ? matches(lower, BRACKETED) : [],
    lower.includes("](") ? citingLinks(cased, lower, targets) : [],
  );
}

function matches(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ start: index, end: index + match.length }));
}

/** What a line belongs to: a fence of code, or a section of sources. */
interface Open {
  fence: { mark: string; isCode: boolean } | undefined;
  sources: { listed: boolean; began: boolean; afterBlank: boolean } | undefined;
}

/** Without one of these marks, and outside of a section of sources, only a line that starts so can be masked. */
const MARK = /`{3}|~{3}|\]:|\+/;
const STARTS_AS_SOURCES = new RegExp(String.raw`(?:[^\S\n]|[>#•*_-])*(?:${SOURCE_WORDS})`, "y");

function lineMasks(lower: string): Span[] {
  const masks: Span[] = [];
  const isMarked = MARK.test(lower);
  const open: Open = { fence: undefined, sources: undefined };
  for (let start = 0; start <= lower.length;) {
    const newline = lower.indexOf("\n", start);
    const end = newline === -1 ? lower.length : newline;
    STARTS_AS_SOURCES.lastIndex = start;
    const mayBeMasked = isMarked || open.sources !== undefined || STARTS_AS_SOURCES.test(lower);
    if (mayBeMasked && isMasked(lower, start, end, open)) masks.push({ start, end });
    start = end + 1;
  }
  return masks;
}

function isMasked(lower: string, start: number, end: number, open: Open): boolean {
  const line = lower.slice(start, Math.min(end, start + LONGEST_HEAD));
  const fence = FENCE.exec(line);
  const { isCode } = open.fence ?? { isCode: false };
  if (open.fence) {
    if (fence?.[1]?.startsWith(open.fence.mark)) open.fence = undefined;
  } else if (fence?.[1]) open.fence = { mark: fence[1], isCode: !PROSE.test(fence[2] ?? "") };
  if (isCode || open.fence?.isCode) return true;
  if (open.sources && continuesSources(line, open.sources)) return line.trim() !== "";
  open.sources = undefined;
  const isShort = end - start <= LONGEST_HEAD;
  if (isShort && HEADING.test(line)) {
    open.sources = { listed: false, began: false, afterBlank: false };
    return true;
  }
  return DEFINITION.test(line) || INLINE.test(line) || (isShort && line.includes("+") && CHIP.test(line));
}

/** Its items, apart or not, or the lines of one paragraph; the next heading or another paragraph is no part of it. */
function continuesSources(line: string, section: NonNullable<Open["sources"]>): boolean {
  if (line.trim() === "") {
    section.afterBlank = section.began;
    return true;
  }
  const listed = LISTED.test(line);
  if (/^\s*#{1,6}\s/.test(line) || (section.afterBlank && !(listed && section.listed))) return false;
  if (!section.began) section.listed = listed;
  section.began = true;
  section.afterBlank = false;
  return true;
}

const LINK = String.raw`\[[^\]\n]{1,120}\]\([^)\n]{0,500}\)`;
/** Links that stand alone in brackets. */
const IN_BRACKETS = new RegExp(String.raw`[(（]\s*${LINK}(?:\s*(?:[,;、·|]\s*)?${LINK}){0,20}\s*[)）]`, "g");
const LONGEST_LABEL = 60;
/** The site at the end of a page's title: "Pans compared - Acme". */
const PAGE_TITLE = /(?:\s[-–—|·]\s)[^-–—|·]{2,40}$/;

/** Links that are a source and no word of the sentence: alone in brackets, behind it under the name of their site, or a page's title on a line of its own. */
function citingLinks(cased: string, lower: string, targets: readonly Span[]): Span[] {
  const masks = matches(lower, IN_BRACKETS);
  for (const { start, end } of targets) {
    const from = Math.max(0, start - LONGEST_LABEL);
    const opening = from + lower.slice(from, start - 1).lastIndexOf("[");
    if (opening < from) continue;
    const label = lower.slice(opening + 1, start - 1).replaceAll(/[^\p{L}\p{N}]/gu, "");
    const behind = /[.!?。！？)][*_"”\s]*$/.test(lower.slice(Math.max(0, opening - 4), opening));
    const isLast = /^[\s*_]*(?:\n|$|\[)/.test(lower.slice(end, end + 8));
    const title = isLast && PAGE_TITLE.exec(lower.slice(opening + 1, start - 1));
    if (title && opening === lower.lastIndexOf("\n", opening) + 1)
      masks.push({ start: start - 1 - title[0].length, end });
    if (behind && isLast && label === siteName(cased.slice(start + 1, end - 1))) masks.push({ start: opening, end });
  }
  return masks;
}
