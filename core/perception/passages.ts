import type { Span, Mention } from "../reading/capture.ts";
import { isSecondaryMention } from "./asides.ts";
import { headingPolarity, signPolarity, type HeadingPolarity } from "./headings.ts";
import { findGluedCells, listBrandIds, isGluedTable, findTableRows, type RowCell } from "./table-rows.ts";
import { findLabel, mentionsWithin } from "../reading/ranks/list-labels.ts";
import { splitLines, type Line } from "../reading/ranks/list-lines.ts";
import { PRICE_AND_BULLET } from "../reading/ranks/list-tables.ts";

/** A sentence or cell with its subject. Passages are ascending and disjoint. */
export interface Passage extends Span {
  kind: "card" | "row" | "item" | "prose";
  /** Shared by passages of one row, list item or card, or consecutive ones on one subject. */
  item: number;
  /** Number shared by passages between two empty lines. */
  block: number;
  subjectIds: readonly string[];
  /** Polarity of its heading, label or column. */
  heading: HeadingPolarity | null;
}

/** An open heading or item; following passages inherit its subjects. */
interface OpenSection {
  depth: number;
  subjectIds: readonly string[];
  item: number;
  heading: HeadingPolarity | null;
}

interface SplitState {
  text: string;
  mentions: Mention[];
  passages: Passage[];
  open: OpenSection[];
  items: number;
  blockCount: number;
  isAfterBlank: boolean;
}

/** Depth of a title without marker; headings have depths 1 to 7. */
const TITLE_DEPTH = 8;
const LABELLED_LINE_DEPTH = 9;
const MARKED_LINE_DEPTH = 10;
const MAX_TITLE_LENGTH = 60;
const LABELLED_LINE_PATTERN = /^\p{Lu}[^.!?\n—–|•:]{1,60}(?:\s[—–-]\s|—|:\s)/u;
const INLINE_LABEL_PATTERN = /^[\s*_]{0,6}([^:：*_\n]{1,50})[*_]{0,3}[:：][*_]{0,3}(?:\s|$|(?<=：))/u;

export function splitPassages(text: string, mentions: Mention[]): Passage[] {
  const lines = splitLines(text);
  const rows = findTableRows(text, mentions, lines);
  const progress: SplitState = { text, mentions, passages: [], open: [], items: 0, blockCount: 0, isAfterBlank: true };
  for (const [i, line] of lines.entries()) {
    const cells = rows.get(line.start) ?? [];
    if (line.kind === "blank") progress.blockCount += 1;
    else if (rows.has(line.start)) addCells(progress, cells);
    else if (isCardStrip(text, line)) addPassage(progress, line, { kind: "card", subjectIds: [], heading: null });
    else addLine(progress, line, lines[i + 1]);
    progress.isAfterBlank = line.kind === "blank";
  }
  return progress.passages;
}

function isCardStrip(text: string, { start, end }: Line): boolean {
  return text.slice(start, end).search(PRICE_AND_BULLET) !== -1;
}

function addPassage(
  progress: SplitState,
  { start, end }: Span,
  what: Omit<Passage, "start" | "end" | "item" | "block">,
): void {
  progress.passages.push({ start, end, item: progress.items, block: progress.blockCount, ...what });
}

function addCells(progress: SplitState, cells: readonly RowCell[]): void {
  const first = progress.items + 1;
  const items = new Map<number, number>();
  for (const { start, end, subjectIds, heading, item } of cells) {
    if (!items.has(item)) items.set(item, first + items.size);
    progress.items = items.get(item) ?? first;
    for (const sentence of splitSentences(progress.text, { start, end })) {
      addPassage(progress, sentence, { kind: "row", subjectIds, heading });
    }
  }
  progress.items = first + items.size;
}

function addLine(progress: SplitState, line: Line, next: Line | undefined): void {
  const { text, mentions } = progress;
  const glued = findGluedCells(text, mentions, line);
  if (glued.length > 0) {
    addCells(progress, glued);
    return;
  }
  if (isGluedTable(text, line)) {
    progress.items += 1;
    addPassage(progress, line, { kind: "row", subjectIds: [], heading: null });
    return;
  }
  const depth = computeSectionDepth(progress, line, next);
  closeSections(progress, line, depth);
  const content = { start: line.content, end: line.end };
  const label = findInlineLabel(text, content);
  const isAlone = label !== null && text.slice(label.end, line.end).replace(/[\s*_]/g, "") === "";
  const heading = label?.heading ?? signPolarity(text.slice(line.start, line.start + 12));
  const own = depth === undefined ? [] : listBrandIds(findLabel(text, mentions, line.content, line.end).subjects);
  if (depth !== undefined && (own.length > 0 || line.kind === "heading" || isAlone)) {
    progress.items += 1;
    const above = progress.open.at(-1);
    const item = own.length > 0 ? progress.items : (above?.item ?? progress.items);
    const inherited = own.length > 0 ? own : (above?.subjectIds ?? []);
    // Gives no polarity to an item about trade-offs, which is no heading.
    const opened =
      own.length > 0 && line.kind !== "heading" ? null : detectSectionPolarity(text.slice(line.content, line.end));
    const subjectIds = startsNewSubject(line, own, opened) ? [] : inherited;
    progress.open.push({ depth, subjectIds, item, heading: opened });
  }
  if (isAlone && heading !== null) return;
  const start = label !== null && label.heading !== null ? label.end : content.start;
  addSentences(progress, { start, end: line.end }, heading);
}

/** Headings over several picks ("Top picks and their trade-offs") have no polarity. */
function detectSectionPolarity(words: string): HeadingPolarity | null {
  const plain = words.replace(/[*_:：#]/g, "").trim();
  return /\b(?:picks?|options?|contenders?|choices?|recommend\w*|models?|top|best)\b/i.test(plain)
    ? null
    : headingPolarity(plain);
}

/** True for a heading without brand and polarity, which starts a new subject. */
function startsNewSubject(line: Line, own: readonly string[], heading: HeadingPolarity | null): boolean {
  return line.kind === "heading" && own.length === 0 && heading === null;
}

/** Inline labels: "Pros: light, quiet", or "Cons:" alone. */
function findInlineLabel(text: string, { start, end }: Span): { end: number; heading: HeadingPolarity | null } | null {
  const line = text.slice(start, Math.min(end, start + 70));
  const label = INLINE_LABEL_PATTERN.exec(line);
  if (label) return { end: start + label[0].length, heading: headingPolarity((label[1] ?? "").trim()) };
  const bare = text
    .slice(start, Math.min(end, start + 70))
    .replace(/[*_#✅❌👍👎]/gu, "")
    .trim();
  if (end - start > 60 || headingPolarity(bare) === null || /[.!?,;]/.test(bare)) return null;
  return bare.split(/\s+/).length <= 5 ? { end, heading: headingPolarity(bare) } : null;
}

/** Depth of a line that can open a section; undefined for running text. */
function computeSectionDepth({ text, mentions }: SplitState, line: Line, next: Line | undefined): number | undefined {
  if (line.kind === "heading") return Math.max(1, Math.min(line.level, 7));
  if (line.kind === "bullet" || line.kind === "number") return MARKED_LINE_DEPTH + line.level;
  const words = text.slice(line.start, line.end).trim();
  const isShort = words.length <= MAX_TITLE_LENGTH;
  if (isShort && headingPolarity(words.replace(/[*_:：]/g, "").trim()) !== null) return LABELLED_LINE_DEPTH;
  if (!findLabel(text, mentions, line.start, line.end).isDirect) return undefined;
  if (isShort && !/[.!?。]$/.test(words) && next?.kind !== "blank" && next !== undefined) return TITLE_DEPTH;
  return LABELLED_LINE_PATTERN.test(words) ? LABELLED_LINE_DEPTH : undefined;
}

/** Closes sections at least as deep; text after an empty line closes those without a heading. */
function closeSections(progress: SplitState, line: Line, depth: number | undefined): void {
  if (depth === undefined && !progress.isAfterBlank) return;
  const isIndented = line.kind === "plain" && /^(?: {2}|\t)/.test(progress.text.slice(line.start, line.start + 2));
  const least = depth ?? (isIndented ? MARKED_LINE_DEPTH + 1 : TITLE_DEPTH);
  progress.open = progress.open.filter((open) => open.depth < least);
}

function addSentences(progress: SplitState, content: Span, heading: HeadingPolarity | null): void {
  const above = progress.open.at(-1);
  const item = above && above.subjectIds.length > 0 ? above : undefined;
  if (!item) progress.items += 1;
  let last: readonly string[] = [];
  for (const sentence of splitSentences(progress.text, content)) {
    if (item) {
      progress.passages.push({
        ...sentence,
        kind: "item",
        item: item.item,
        block: progress.blockCount,
        subjectIds: item.subjectIds,
        heading: heading ?? item.heading,
      });
      continue;
    }
    const own = listBrandIds(
      mentionsWithin(progress.mentions, sentence.start, sentence.end).filter(
        (mention) => !isSecondaryMention(progress.text, mention),
      ),
    );
    if (own.length > 0 || !continuesSubject(progress.text, sentence)) {
      progress.items += 1;
      last = own;
    }
    addPassage(progress, sentence, { kind: "prose", subjectIds: last, heading: heading ?? above?.heading ?? null });
  }
}

/** True for a sentence about the subject of the sentence before: "It also has …". */
function continuesSubject(text: string, { start, end }: Span): boolean {
  return /^["“(*\s]{0,3}(?:it|its|it['’]s|they|their|they['’]re|this|these|both|also|however,? (?:it|they)|but (?:it|they)|er|sie|es|il|elle|ils|elles|sa|son|tiene|su|sus|está)\b/i.test(
    text.slice(start, Math.min(end, start + 40)),
  );
}

/** Gap after a full stop but not after "e.g."; in Japanese without a space. */
const SENTENCE_GAP_PATTERN =
  /(?<=(?<!\b(?:e\.g|i\.e|vs|approx|ca|bzw|z\.\s?B|etc|Dr|Mr|St))[.!?]["”’»)*\]]?)\s+(?=["“„«¿¡(*\p{Lu}])|(?<=[。！？])/gu;

/** Sentences of a span within one line, without the gaps. */
function splitSentences(text: string, { start, end }: Span): Span[] {
  const sentences: Span[] = [];
  let from = start;
  for (const gap of text.slice(start, end).matchAll(SENTENCE_GAP_PATTERN)) {
    sentences.push({ start: from, end: start + gap.index });
    from = start + gap.index + gap[0].length;
  }
  sentences.push({ start: from, end });
  return sentences.filter((sentence) => text.slice(sentence.start, sentence.end).trim() !== "");
}
