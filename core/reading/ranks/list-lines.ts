import type { Mention } from "../capture.ts";
import { findLabel, type AnswerList, type ItemLabel } from "./list-labels.ts";

export interface Line {
  start: number;
  end: number;
  /** Offset of the text after the marker. */
  content: number;
  kind: "number" | "bullet" | "heading" | "plain" | "blank";
  /** Indent of a bullet or number, or level of a heading. */
  level: number;
  number: number;
  /** Start of the next line with a marker, which bounds the label. */
  nextMarked: number;
}

interface Item {
  label: ItemLabel;
  number: number;
}

/** Matches the start of a line with a marker; all other lines are plain. */
const MARKER_START_PATTERN = /^\s*[#*_\d•‣◦–-]/;
const NUMBERED_LINE_PATTERN = /^(\s*)(?:#{1,6}\s+)?(?:\*\*|__)?(?:(\d{1,2})[.)]|#(\d{1,2})[.:)]?)(?:\*\*|__)?\s+/;
const BULLETED_LINE_PATTERN = /^(\s*)[-*•‣◦–]\s+/;
const HEADING_PREFIX_PATTERN = /^(#{1,6})\s+/;
const BOLD_LINE_PATTERN = /^\*\*[^*\n]+\*\*:?\s*$/;

export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const raw of text.split("\n")) {
    lines.push(parseLine(raw, start));
    start += raw.length + 1;
  }
  let nextMarked = text.length;
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const line = lines[i];
    if (!line) continue;
    line.nextMarked = nextMarked;
    if (line.kind !== "plain" && line.kind !== "blank") nextMarked = line.start;
  }
  return lines;
}

function parseLine(raw: string, start: number): Line {
  const { kind, level, length, number } = parseMarker(raw);
  return { start, end: start + raw.length, content: start + length, kind, level, number, nextMarked: 0 };
}

type LineMarker = Pick<Line, "kind" | "level" | "number"> & { length: number };

const BLANK_MARKER: LineMarker = { kind: "blank", level: 0, number: 0, length: 0 };
const PLAIN_MARKER: LineMarker = { kind: "plain", level: 7, number: 0, length: 0 };
const BOLD_MARKER: LineMarker = { kind: "heading", level: 7, number: 0, length: 0 };

function parseMarker(raw: string): LineMarker {
  if (!MARKER_START_PATTERN.test(raw)) return raw.trim() === "" ? BLANK_MARKER : PLAIN_MARKER;
  const numbered = NUMBERED_LINE_PATTERN.exec(raw);
  if (numbered) {
    const [{ length }, indent, first, second] = numbered;
    return { kind: "number", level: indent?.length ?? 0, number: Number(first ?? second), length };
  }
  const bulleted = BULLETED_LINE_PATTERN.exec(raw);
  if (bulleted) return { kind: "bullet", level: bulleted[1]?.length ?? 0, number: 0, length: bulleted[0].length };
  const headed = HEADING_PREFIX_PATTERN.exec(raw);
  if (headed) return { kind: "heading", level: headed[1]?.length ?? 1, number: 0, length: headed[0].length };
  return BOLD_LINE_PATTERN.test(raw) ? BOLD_MARKER : PLAIN_MARKER;
}

export function findMarkedLists(text: string, mentions: Mention[], lines: readonly Line[]): AnswerList[] {
  const groups: Line[][] = [];
  const open = new Map<string, Line[]>();
  let afterBlank = false;
  for (const line of lines) {
    closeGroups(open, line, afterBlank);
    afterBlank = line.kind === "blank";
    if (line.kind === "plain" || line.kind === "blank") continue;
    const key = `${line.kind}${line.level}`;
    const group = open.get(key);
    if (group && continuesGroup(group, line)) group.push(line);
    else {
      const fresh = [line];
      open.set(key, fresh);
      groups.push(fresh);
    }
  }
  return groups.flatMap((group) => buildList(text, mentions, group) ?? []);
}

/** A heading closes bullets and lower headings, a separate paragraph closes bullets. */
function closeGroups(open: Map<string, Line[]>, line: Line, afterBlank: boolean): void {
  const closesBullets = line.kind === "heading" || (line.kind === "plain" && afterBlank);
  for (const [key, group] of open) {
    const kind = group[0]?.kind;
    const level = group[0]?.level ?? 0;
    if (kind === "bullet" && (closesBullets || (line.kind === "number" && line.level <= level))) open.delete(key);
    if (kind === "heading" && line.kind === "heading" && line.level < level) open.delete(key);
  }
}

/** The number rises or steadily falls by one, or repeats; ties may skip ("1. 2. 2. 4."). */
function continuesGroup(group: Line[], line: Line): boolean {
  if (line.kind !== "number") return true;
  const first = group[0]?.number ?? 0;
  const last = group.at(-1)?.number ?? 0;
  const step = line.number - last;
  const falls = group.length > 1 && last < first;
  if (step === -1) return first > 2 && (falls || group.length === 1);
  const tied = group.length - group.findIndex(({ number }) => number === last);
  return !falls && (step === 0 || step === 1 || (step === tied && tied > 1));
}

function buildList(text: string, mentions: Mention[], group: Line[]): AnswerList | undefined {
  const items = group.map((line): Item => {
    return { label: findLabel(text, mentions, line.content, line.nextMarked), number: line.number };
  });
  const kind = group[0]?.kind;
  // Starts the list at the first heading that names a brand, since some headings are no items ("How
  // we chose").
  const skipped = kind === "heading" ? items.findIndex(({ label }) => label.subjects.length > 0) : 0;
  const start = group[Math.max(skipped, 0)]?.start ?? 0;
  return toList(start, items.slice(Math.max(skipped, 0)), kind === "number");
}

/** List of these items; undefined unless one direct label or two labels name brands. */
function toList(start: number, items: Item[], numbered: boolean): AnswerList | undefined {
  const direct = items.filter(({ label }) => label.isDirect && label.subjects.length > 0).length;
  const named = items.filter(({ label }) => label.subjects.length > 0).length;
  if (items.length < 2 || (direct === 0 && named < 2)) return undefined;
  const first = items[0]?.number ?? 0;
  const written = numbered && items.some(({ number }) => number !== first);
  return {
    start,
    length: written ? Math.max(...items.map(({ number }) => number)) : items.length,
    items: items.map(({ label, number }, i) => ({ position: written ? number : i + 1, subjects: label.subjects })),
  };
}

/** Lists that lost their markers: exactly two empty lines separate items, more end the list. */
export function findSpacedLists(text: string, mentions: Mention[]): AnswerList[] {
  const lists: AnswerList[] = [];
  let blocks: { start: number; end: number }[] = [];
  const flush = (): void => {
    while (blocks.length > 0 && !hasLabel(text, blocks.at(-1))) blocks.pop();
    const items = blocks.map(({ start, end }): Item => ({ label: findLabel(text, mentions, start, end), number: 0 }));
    const list = toList(blocks[0]?.start ?? 0, items, false);
    if (list) lists.push(list);
    blocks = [];
  };
  const gaps = [...text.matchAll(/\n{3,}/g)];
  for (const [i, gap] of gaps.entries()) {
    if (gap[0].length > 3) flush();
    const start = gap.index + gap[0].length;
    const end = gaps[i + 1]?.index ?? text.length;
    if (gap[0].length > 3) continue;
    if (/:\s*$/.test(text.slice(start, end))) flush();
    else blocks.push({ start, end });
  }
  flush();
  return lists;
}

/** False for prose after an unmarked list. */
function hasLabel(text: string, block: { start: number; end: number } | undefined): boolean {
  if (!block) return false;
  const item = text.slice(block.start, Math.min(block.end, block.start + 100));
  return block.end - block.start <= 80 || /^[^\n.!?]{2,80}(?:\s[—–-]\s|—|:\s|\n)/.test(item);
}

/** Lists without markers and spacing: two or more consecutive lines shaped "Name – text". */
export function findLabelledLines(text: string, mentions: Mention[], lines: readonly Line[]): AnswerList[] {
  const lists: AnswerList[] = [];
  let run: { start: number; item: Item }[] = [];
  const flush = (): void => {
    const list = toList(
      run[0]?.start ?? 0,
      run.map(({ item }) => item),
      false,
    );
    if (list) lists.push(list);
    run = [];
  };
  for (const line of lines) {
    if (line.kind === "blank") continue;
    const shaped =
      line.kind === "plain" && /^\p{Lu}[^.!?\n—–|•]{1,60}(?:\s[—–-]\s|—)/u.test(text.slice(line.start, line.end));
    if (shaped)
      run.push({ start: line.start, item: { label: findLabel(text, mentions, line.start, line.end), number: 0 } });
    else flush();
  }
  flush();
  return lists;
}
