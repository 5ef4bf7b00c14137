import type { Mention } from "../capture.ts";
import { collectJoined, mentionsWithin, findSubjects, type AnswerList, type ListItem } from "./list-labels.ts";
import type { Line } from "./list-lines.ts";

interface TableCell {
  start: number;
  end: number;
}

interface TableRow {
  start: number;
  cells: TableCell[];
  isRule: boolean;
}

/** Tables with bars or tabs between columns: each row after the header is an item. */
export function findTables(text: string, mentions: Mention[]): AnswerList[] {
  const lists: AnswerList[] = [];
  let rows: TableRow[] = [];
  const flush = (): void => {
    const list = buildTableList(text, mentions, rows);
    if (list) lists.push(list);
    rows = [];
  };
  let start = 0;
  for (const raw of text.split("\n")) {
    const row = parseRow(raw, start);
    if (row) rows.push(row);
    else flush();
    start += raw.length + 1;
  }
  flush();
  return lists;
}

function parseRow(raw: string, start: number): TableRow | undefined {
  const bar = raw.includes("|") ? "|" : "\t";
  const cells: TableCell[] = [];
  let from = 0;
  for (const part of raw.split(bar)) {
    cells.push({ start: start + from, end: start + from + part.length });
    from += part.length + 1;
  }
  if (raw.trimStart().startsWith("|")) cells.shift();
  if (raw.trimEnd().endsWith("|")) cells.pop();
  return cells.length < 2 ? undefined : { start, cells, isRule: /^[\s|:-]+$/.test(raw) && raw.includes("--") };
}

/** First column, or the second if two rows or more name brands there and none in the first. */
function buildTableList(text: string, mentions: Mention[], rows: TableRow[]): AnswerList | undefined {
  const rule = rows.findIndex(({ isRule }) => isRule);
  const body = rule === -1 ? rows.slice(1) : rows.slice(rule + 1);
  if (body.length < 2) return undefined;
  for (const column of [0, 1, 2]) {
    const items = body.map(({ cells }, i): ListItem => {
      const cell = cells[column];
      return { position: i + 1, subjects: cell ? findSubjects(text, mentions, cell.start, cell.end) : [] };
    });
    const named = items.filter(({ subjects }) => subjects.length > 0).length;
    const needed = column === 0 || (column === 1 && hasNumberColumn(text, body)) ? 1 : 2;
    if (named >= needed) return { start: rows[0]?.start ?? 0, length: items.length, items };
    if (column === 1 && !hasNumberColumn(text, body)) break;
  }
  return undefined;
}

function hasNumberColumn(text: string, rows: TableRow[]): boolean {
  return rows.every(({ cells }) => /^[\s#*]*\d{1,2}[.)*]*\s*$/.test(text.slice(cells[0]?.start, cells[0]?.end)));
}

/** Matches price, bullet and shop in the text of a product card. */
export const PRICE_AND_BULLET = /(?:\d\s?[$€£¥]|[$€£¥]\s?\d[\d.,]*)[^•\n]{0,12}•/g;
/** Matches the end of a card's shop: the number of further sellers. */
export const SHOP_END_PATTERN = /\+ ?\d*\s?(?:weitere|more|others|plus|autres|más|altri)|(?:&|and|und) (?:more|mehr)/i;

/** Product cards run together on one line. The subject precedes the price, the shop follows it. */
export function findCardStrips(text: string, mentions: Mention[]): AnswerList[] {
  const strips: AnswerList[] = [];
  for (const line of text.matchAll(/[^\n]+/g)) {
    const bullets = [...line[0].matchAll(PRICE_AND_BULLET)].map((match) => ({
      price: line.index + match.index,
      shop: line.index + match.index + match[0].length,
    }));
    if (bullets.length < 2) continue;
    let from = line.index;
    const items = bullets.map(({ price, shop }, i): ListItem => {
      const subjects = findSubjects(
        text,
        mentions,
        i === 0 ? from : findTitleStart(text, mentions, from, price),
        price,
      );
      from = shop;
      return { position: i + 1, subjects };
    });
    if (items.some(({ subjects }) => subjects.length > 0))
      strips.push({ start: line.index, length: items.length, items });
  }
  return strips;
}

/** After the text that closes the previous shop, or at the first name glued to that shop. */
function findTitleStart(text: string, mentions: Mention[], shop: number, price: number): number {
  const end = SHOP_END_PATTERN.exec(text.slice(shop, price));
  if (end) return shop + end.index + end[0].length;
  return mentionsWithin(mentions, shop + 1, price).find(({ start }) => isGlued(text, start))?.start ?? price;
}

function isGlued(text: string, start: number): boolean {
  return start > 0 && /[\p{L}\p{N}.)!?”"%*]/u.test(text.charAt(start - 1));
}

/** Min length of a line with a table, in code units. */
const MIN_GLUED_LENGTH = 120;

/** Each row starts with a name glued to the end of the previous row. */
export function findGluedTables(text: string, mentions: Mention[], lines: readonly Line[]): AnswerList[] {
  const lists: AnswerList[] = [];
  for (const { start: lineStart, end: lineEnd } of lines) {
    if (lineEnd - lineStart < MIN_GLUED_LENGTH) continue;
    const within = mentionsWithin(mentions, lineStart, lineEnd);
    const starts = within.filter((mention) => isRowStart(text, lineStart, mention));
    if (starts.length < 2) continue;
    const items = starts.map((first, i): ListItem => {
      const end = starts[i + 1]?.start ?? lineEnd;
      const rest = mentionsWithin(within, first.end, end);
      return { position: i + 1, subjects: collectJoined(text, first, rest) };
    });
    lists.push({ start: lineStart, length: items.length, items });
  }
  return lists;
}

/** A year may stand between seam and name; a possessive or source label ("Name+2") starts none. */
export function isRowStart(text: string, lineStart: number, { start, end }: Mention): boolean {
  // Ignores opening emphasis after a space, which is not glued.
  const written = text.slice(Math.max(lineStart, start - 14), start).replace(/(?<=^|\s)[*_]{1,3}$/, "");
  const before = written.replace(/20\d\d(?:\s?\/\s?20\d\d)?\s$/, "");
  if (!/[\p{L}\p{N}.)!?”"%*]$/u.test(before)) return false;
  return !/^(?:[\w\s.]{0,12}['’]s\b|\s?\+\d)/.test(text.slice(end, end + 16));
}
