import { headingOf } from "./headings.ts";
import type { Heading } from "./headings.ts";
import type { Span } from "./perception.ts";
import type { Mention } from "../reading/capture.ts";
import { joinedTo, mentionsWithin, subjectsOf } from "../reading/list-labels.ts";
import type { Line } from "../reading/list-lines.ts";
import { startsRow } from "../reading/list-tables.ts";

/** A cell of a table, with the brands that its row or column is about. */
export interface RowCell extends Span {
  subjects: readonly string[];
  heading: Heading | null;
  /** Cells of one row, or of one brand's column, have the same number. */
  item: number;
}

/** The cells of tables whose columns are apart, by bars or tabs, by the start of their line. */
export function tableRows(text: string, mentions: Mention[], lines: readonly Line[]): Map<number, RowCell[]> {
  const rows = new Map<number, RowCell[]>();
  let head: Column[] | undefined;
  for (const [i, line] of lines.entries()) {
    const cells = cellsOf(text, line);
    if (cells.length < 2) {
      head = undefined;
      continue;
    }
    if (!head) {
      head = cells.map((cell) => columnOf(text, mentions, cell));
      rows.set(line.start, []);
      continue;
    }
    rows.set(line.start, isRule(text, line) ? [] : rowOf(text, mentions, cells, head, i));
  }
  return rows;
}

interface Column {
  subjects: readonly string[];
  heading: Heading | null;
}

function columnOf(text: string, mentions: Mention[], cell: Span): Column {
  return {
    subjects: idsOf(subjectsOf(text, mentions, cell.start, cell.end)),
    heading: headingOf(text.slice(cell.start, cell.end)),
  };
}

/** A row is about the brand that its first cells name, or each of its cells about the brand at the head of the column. */
function rowOf(text: string, mentions: Mention[], cells: Span[], head: readonly Column[], line: number): RowCell[] {
  const named = cells.slice(0, 3).findIndex(({ start, end }) => subjectsOf(text, mentions, start, end).length > 0);
  const own = cells[named];
  const isByColumn = head.slice(1).some(({ subjects }) => subjects.length > 0);
  if (isByColumn && named !== 0) {
    const first = cells[0];
    const heading = first ? headingOf(text.slice(first.start, first.end)) : null;
    return cells.slice(1).map((cell, i): RowCell => {
      return { ...cell, subjects: head[i + 1]?.subjects ?? [], heading, item: -(i + 1) };
    });
  }
  const subjects = own ? idsOf(subjectsOf(text, mentions, own.start, own.end)) : [];
  return cells.map((cell, i): RowCell => ({ ...cell, subjects, heading: head[i]?.heading ?? null, item: line }));
}

function cellsOf(text: string, { start, end }: Span): Span[] {
  const raw = text.slice(start, end);
  const bar = raw.includes("|") ? "|" : "\t";
  const cells: Span[] = [];
  let from = start;
  for (const part of raw.split(bar)) {
    cells.push({ start: from, end: from + part.length });
    from += part.length + 1;
  }
  if (raw.trimStart().startsWith("|")) cells.shift();
  if (raw.trimEnd().endsWith("|")) cells.pop();
  return cells;
}

function isRule(text: string, { start, end }: Span): boolean {
  return /^[\s|:-]+$/.test(text.slice(start, end));
}

/** A shorter line holds no table. */
const LEAST_GLUED = 120;
/** Where the cells of a row ran together: a capital glued to the end of a word, a sentence or a footnote. */
const SEAM = /(?<=[\p{Ll}\d.)”"!?%$+″])(?=[\p{Lu}~“"]\S)/gu;
/** What a footnote leaves: "Some Magazine+2". */
const CHIP = /^[^.!?]{0,40}\+\d{1,2}$/;

/** The cells of a table that was run together on one line; none where the line holds no such table. */
export function gluedCells(text: string, mentions: Mention[], line: Line): RowCell[] {
  if (line.end - line.start < LEAST_GLUED) return [];
  const within = mentionsWithin(mentions, line.start, line.end);
  const starts = within.filter((mention, i) => startsRow(text, line.start, mention) && !isJoined(text, within, i));
  const first = starts[0];
  if (!first || starts.length < (line.end - line.start < 2 * LEAST_GLUED ? 2 : 1)) return [];
  const rowStart = rowStartOf(text, line.start, first);
  const head = pieces(text, [], { start: line.start, end: rowStart });
  if (starts.length < 2 && head.length < 3) return [];
  const headings = head.map(({ start, end }) => headingOf(text.slice(start, end)));
  return starts.flatMap((mention, i): RowCell[] => {
    const next = starts[i + 1];
    const end = next ? rowStartOf(text, line.start, next) : line.end;
    const row = { start: rowStartOf(text, line.start, mention), end };
    const subjects = idsOf(joinedTo(text, mention, mentionsWithin(within, mention.end, row.end)));
    return cellsOfRow(text, pieces(text, within, row), headings).map((cell) => ({ ...cell, subjects, item: i }));
  });
}

/** The name of a product may repeat its brand: "Acme Acme One". */
function isJoined(text: string, within: readonly Mention[], i: number): boolean {
  const before = within[i - 1];
  const own = within[i];
  return before !== undefined && own !== undefined && text.slice(before.end, own.start).trim() === "";
}

function rowStartOf(text: string, lineStart: number, { start }: Mention): number {
  const year = /20\d\d(?:\s?\/\s?20\d\d)?\s$/.exec(text.slice(Math.max(lineStart, start - 14), start));
  return year ? start - year[0].length : start;
}

/** A stretch cut at its seams, those inside of names aside; a footnote stays with what it belongs to. */
function pieces(text: string, mentions: readonly Mention[], { start, end }: Span): Span[] {
  const found: Span[] = [];
  let from = start;
  let m = 0;
  const add = (to: number): void => {
    const last = found.at(-1);
    if (last && CHIP.test(text.slice(from, to))) last.end = to;
    else if (to > from) found.push({ start: from, end: to });
    from = to;
  };
  for (const { index } of text.slice(start, end).matchAll(SEAM)) {
    const at = start + index;
    while ((mentions[m]?.end ?? Infinity) <= at) m += 1;
    if (at > from && !((mentions[m]?.start ?? Infinity) < at)) add(at);
  }
  add(end);
  return found;
}

/** Which cell stands under which head: in order where there are as many, else the last under the last. */
function cellsOfRow(
  text: string,
  cells: readonly Span[],
  headings: readonly (Heading | null)[],
): (Span & { heading: Heading | null })[] {
  const count = headings.length;
  if (count < 2 || headings.every((heading) => heading === null))
    return cells.map((cell) => ({ ...cell, heading: null }));
  const [name, ...rest] = cells;
  const columns = headings.slice(1);
  const wanted = joinShort(text, rest, columns.length);
  const named = name ? [{ ...name, heading: null }] : [];
  // What is more than the columns belongs to a row whose name is not known.
  return [
    ...named,
    ...wanted.slice(0, Math.max(columns.length, 1)).map((cell, i) => ({ ...cell, heading: columns[i] ?? null })),
  ];
}

/** Seams inside of a name ("ProBook") make pieces that are too short for a cell: they go with the next one. */
function joinShort(text: string, cells: readonly Span[], columns: number): Span[] {
  const joined: Span[] = [];
  let isOpen = false;
  for (const cell of cells) {
    const last = joined.at(-1);
    if (last && isOpen && joined.length + 1 > columns) last.end = cell.end;
    else joined.push({ ...cell });
    isOpen = !/\s/.test(text.slice(cell.start, cell.end).trim());
  }
  return joined;
}

export function idsOf(mentions: readonly Mention[]): string[] {
  return [...new Set(mentions.map(({ brand_id }) => brand_id))];
}
