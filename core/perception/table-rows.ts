import { headingPolarity, type HeadingPolarity } from "./headings.ts";
import type { Span, Mention } from "../reading/capture.ts";
import { collectJoined, mentionsWithin, findSubjects } from "../reading/ranks/list-labels.ts";
import type { Line } from "../reading/ranks/list-lines.ts";
import { isRowStart } from "../reading/ranks/list-tables.ts";

export interface RowCell extends Span {
  subjectIds: readonly string[];
  heading: HeadingPolarity | null;
  /** Number shared by the cells of one row, or of one brand's column. */
  item: number;
}

/** Cells of tables with bars or tabs, by the start of their line. */
export function findTableRows(text: string, mentions: Mention[], lines: readonly Line[]): Map<number, RowCell[]> {
  const rows = new Map<number, RowCell[]>();
  let head: TableColumn[] | undefined;
  for (const [i, line] of lines.entries()) {
    const cells = splitCells(text, line);
    if (cells.length < 2) {
      head = undefined;
      continue;
    }
    if (!head) {
      head = cells.map((cell) => toColumn(text, mentions, cell));
      rows.set(line.start, []);
      continue;
    }
    rows.set(line.start, isSeparatorRow(text, line) ? [] : readRow(text, mentions, cells, head, i));
  }
  return rows;
}

interface TableColumn {
  subjectIds: readonly string[];
  heading: HeadingPolarity | null;
}

function toColumn(text: string, mentions: Mention[], cell: Span): TableColumn {
  return {
    subjectIds: listBrandIds(findSubjects(text, mentions, cell.start, cell.end)),
    heading: headingPolarity(text.slice(cell.start, cell.end)),
  };
}

/** A row is about the brand in its first cells, or each cell about the brand in its column head. */
function readRow(
  text: string,
  mentions: Mention[],
  cells: Span[],
  head: readonly TableColumn[],
  line: number,
): RowCell[] {
  const named = cells.slice(0, 3).findIndex(({ start, end }) => findSubjects(text, mentions, start, end).length > 0);
  const own = cells[named];
  const isByColumn = head.slice(1).some(({ subjectIds }) => subjectIds.length > 0);
  if (isByColumn && named !== 0) {
    const first = cells[0];
    const heading = first ? headingPolarity(text.slice(first.start, first.end)) : null;
    return cells.slice(1).map((cell, i): RowCell => {
      return { ...cell, subjectIds: head[i + 1]?.subjectIds ?? [], heading, item: -(i + 1) };
    });
  }
  const subjectIds = own ? listBrandIds(findSubjects(text, mentions, own.start, own.end)) : [];
  return cells.map((cell, i): RowCell => ({ ...cell, subjectIds, heading: head[i]?.heading ?? null, item: line }));
}

function splitCells(text: string, { start, end }: Span): Span[] {
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

function isSeparatorRow(text: string, { start, end }: Span): boolean {
  return /^[\s|:-]+$/.test(text.slice(start, end));
}

/** Min length of a line with a table, in code units. */
const MIN_GLUED_LENGTH = 120;
/** Joints of cells that ran together: a capital after a sentence, word, figure or abbreviation. */
const CELL_SEAM_PATTERN =
  /(?<=[.)”"!?%″*])(?=i?[\p{Lu}~“"][^\s.])|(?<=\p{Ll})(?=~|\p{Lu}(?:\p{Ll}|[’'\s]))|(?<=(?<!mac|[wW]atch|tv)\p{Ll}{3})(?=\p{Lu}{2,}\s)|(?<=\d[+"″]?)(?=~|\p{Lu}\p{Ll}|A\s)|(?<=[\p{Lu}\d]\p{Lu})(?=\p{Lu}\p{Ll}{2}|A\s)/gu;
/** Matches the remains of a footnote: "Some Magazine+2". */
const FOOTNOTE_REST_PATTERN = /^[^.!?]{0,40}\+\d{1,2}$/;

/** A joint of cells. A low weight means that it may be inside a name ("TechRadar"). */
interface CellSeam {
  at: number;
  weight: 1 | 2 | 3;
}

/** Cells of a table that ran together on one line; empty without such a table. */
export function findGluedCells(text: string, mentions: Mention[], line: Line): RowCell[] {
  if (line.end - line.start < MIN_GLUED_LENGTH) return [];
  const within = mentionsWithin(mentions, line.start, line.end);
  const starts = within.filter((mention, i) => isRowStart(text, line.start, mention) && isRowName(text, within, i));
  const first = starts[0];
  if (!first || starts.length < (line.end - line.start < 2 * MIN_GLUED_LENGTH ? 2 : 1)) return [];
  const head = findColumnPolarities(text, { start: line.start, end: findRowStart(text, line.start, first) });
  if (starts.length < 2 && head.length < 3) return [];
  return starts.flatMap((mention, i): RowCell[] => {
    const next = starts[i + 1];
    const end = next ? findRowStart(text, line.start, next) : line.end;
    const row = { start: findRowStart(text, line.start, mention), end };
    const subjectIds = listBrandIds(collectJoined(text, mention, mentionsWithin(within, mention.end, row.end)));
    return splitRow(findSeams(text, within, row), row, head.slice(1)).map((cell) => ({ ...cell, subjectIds, item: i }));
  });
}

/** True for a table that ran together without a row about a brand. */
export function isGluedTable(text: string, line: Line): boolean {
  return line.end - line.start >= 2 * MIN_GLUED_LENGTH && findSeams(text, [], line).length >= MIN_TABLE_SEAMS;
}

const MIN_TABLE_SEAMS = 5;

/** False in a sentence ("Acme phones often have") or a repetition ("Acme Acme One"). */
function isRowName(text: string, within: readonly Mention[], i: number): boolean {
  const before = within[i - 1];
  const own = within[i];
  if (!own || (before && text.slice(before.end, own.start).trim() === "")) return false;
  return !/^\s\p{Ll}+,?\s\p{Ll}+/u.test(text.slice(own.end, own.end + 40));
}

function findRowStart(text: string, lineStart: number, { start }: Mention): number {
  const year = /20\d\d(?:\s?\/\s?20\d\d)?\s$/.exec(text.slice(Math.max(lineStart, start - 14), start));
  return year ? start - year[0].length : start;
}

/** Polarity of the columns, from the text before the first row. */
function findColumnPolarities(text: string, { start, end }: Span): (HeadingPolarity | null)[] {
  const ends = [...findSeams(text, [], { start, end }).map(({ at }) => at), end];
  return ends.map((to, i) => headingPolarity(text.slice(ends[i - 1] ?? start, to)));
}

/** Joints in a span, except inside brand names and before footnotes. */
function findSeams(text: string, mentions: readonly Mention[], { start, end }: Span): CellSeam[] {
  const seams: CellSeam[] = [];
  let m = 0;
  for (const { index } of text.slice(start, end).matchAll(CELL_SEAM_PATTERN)) {
    const at = start + index;
    while ((mentions[m]?.end ?? Infinity) <= at) m += 1;
    if (at === start || (mentions[m]?.start ?? Infinity) < at) continue;
    const last = seams.at(-1);
    // Drops the joint before a footnote, which belongs to the cell before.
    if (last && FOOTNOTE_REST_PATTERN.test(text.slice(last.at, at))) seams.pop();
    seams.push({ at, weight: computeSeamWeight(text, at) });
  }
  return seams;
}

function computeSeamWeight(text: string, at: number): CellSeam["weight"] {
  const before = text.slice(Math.max(0, at - 30), at);
  if (/[.)”"!?]$|\+\d{1,2}$|(?:^|[\s(/-])\p{Ll}[\p{Ll}’']*-*$/u.test(before)) return 3;
  return /\d$/.test(before) ? 2 : 1;
}

/** Splits a row into its name and one cell per column, at the joints with the highest weight. */
function splitRow(
  seams: readonly CellSeam[],
  row: Span,
  columns: readonly (HeadingPolarity | null)[],
): Omit<RowCell, "subjectIds" | "item">[] {
  const [first, ...rest] = seams;
  if (!first) return [{ ...row, heading: null }];
  const wanted = Math.max(columns.length - 1, 0);
  const chosen = rest
    .toSorted((one, other) => other.weight - one.weight || one.at - other.at)
    .slice(0, wanted)
    .toSorted((one, other) => one.at - other.at);
  const lastStart = chosen.at(-1)?.at ?? first.at;
  // Ends the row before text that belongs to a row with an unknown name.
  const end =
    columns.length === 0 ? row.end : (rest.find(({ at, weight }) => at > lastStart && weight === 3)?.at ?? row.end);
  const ends = [...chosen.map(({ at }) => at), end];
  const cells = ends.map((to, i) => ({ start: ends[i - 1] ?? first.at, end: to, heading: columns[i] ?? null }));
  return [{ start: row.start, end: first.at, heading: null }, ...cells];
}

export function listBrandIds(mentions: readonly Mention[]): string[] {
  return [...new Set(mentions.map(({ brand_id }) => brand_id))];
}
