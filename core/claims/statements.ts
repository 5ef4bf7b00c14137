import type { Mention } from "../reading/capture.ts";

/** Span of a text about one brand: a sentence, cell or card. UTF-16 code units, end exclusive. */
export interface Statement {
  start: number;
  end: number;
  /** Head of the cell's column or row. */
  label: string;
  shopName?: string;
}

interface BrandSpan {
  start: number;
  end: number;
  isOwnBrand: boolean;
}

/** Suffixes that turn a name into another product. */
const VARIANT_SUFFIX_PATTERN =
  /^(?:\+|[ \u00A0-](?:(?:pro|max|ultra|plus|mini|lite|se|fe|xl|air|neo|prime|elite|performance|sport|gt|edge|fold\d?|flip\d?|classic|combo|kit|bundle|i{2,3}|iv)(?!\p{L})|(?:gen(?:eration)? ?\d|mk ?[2-9]|mark ?[2-9]|[2-9](?:nd|rd|th) gen(?:eration)?|[2-9]|1\d)(?![\p{L}\d]|[.,]\d)))/iu;
const VARIANT_LETTER_PATTERN = /^[ -][SN](?![\p{L}'’])/u;
const MAX_TITLE_LENGTH = 60;
const MAX_BLOCK_LENGTH = 2_000;
const MARKED_LINE_PATTERN = /^(?:#{1,6} |\*\*|\d{1,2}[.)] )/;
const SENTENCE_END_PATTERN = /[.!?]["”’)]{0,2}(?:\[\d{1,3}\]){0,9}\s+(?=[\p{Lu}“"(*[])|[。！？]|\n+/gu;
const PRODUCT_CARD_PATTERN = /^[^•\n$€]{0,80}?\d,\d{2}[ \u00A0]?[$€][ \u00A0]?•([^•+\n]{1,60})/u;
const CARD_END = "+ weitere";

/** Statements about a brand, in text order. `mentions` covers all brands. Linear. */
export function findStatements(text: string, mentions: readonly Mention[], brandId: string): Statement[] {
  const marks = findBrandSpans(text, mentions, brandId);
  const statements: Statement[] = [];
  let done = 0;
  for (const [at, mark] of marks.entries()) {
    if (!mark.isOwnBrand || mark.start < done) continue;
    const line = findLineAt(text, mark.start);
    const found = isTableRow(text, line) ? findTableStatements(text, line, mark) : undefined;
    const next = marks.slice(at + 1, at + 50).find(({ isOwnBrand }) => !isOwnBrand)?.start ?? text.length;
    const said =
      found ?? findCard(text, mark, line) ?? findProseStatements(text, { mark, line, next, previous: marks[at - 1] });
    statements.push(...said);
    done = Math.max(mark.end, said.at(-1)?.end ?? 0);
  }
  return statements;
}

/** Mentions in order; a maker's name directly before its product belongs to the product. */
function findBrandSpans(text: string, mentions: readonly Mention[], brandId: string): BrandSpan[] {
  const marks: BrandSpan[] = [];
  for (const { start, end, brand_id } of mentions.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = marks.at(-1);
    const after = text.slice(end, end + 20);
    const isOwnBrand =
      brand_id === brandId && !VARIANT_SUFFIX_PATTERN.test(after) && !VARIANT_LETTER_PATTERN.test(after);
    if (last && start <= last.end + 1 && isOwnBrand && !last.isOwnBrand)
      marks[marks.length - 1] = { start: last.start, end, isOwnBrand };
    else if (!last || start >= last.end) marks.push({ start, end, isOwnBrand });
  }
  return marks;
}

interface TextSpan {
  start: number;
  end: number;
}

function findLineAt(text: string, offset: number): TextSpan {
  const end = text.indexOf("\n", offset);
  return { start: text.lastIndexOf("\n", offset - 1) + 1, end: end === -1 ? text.length : end };
}

function isTableRow(text: string, { start, end }: TextSpan): boolean {
  return /^\s*\|/.test(text.slice(start, Math.min(end, start + 20)));
}

const MAX_ROWS = 100;

/** Cells of a brand's row with column heads, or of its column with row heads. */
function findTableStatements(text: string, line: TextSpan, mark: BrandSpan): Statement[] {
  const spans = findCells(text, line);
  const column = spans.findIndex(({ start, end }) => mark.start >= start && mark.start < end);
  const below = findLineAt(text, Math.min(line.end + 1, text.length));
  if (/^\s*\|[\s:|-]+$/.test(text.slice(below.start, below.end))) {
    return findRows(text, below.end + 1).flatMap((row) => {
      const cells = findCells(text, row);
      const [head] = cells;
      const cell = cells[column];
      return head && cell && column > 0 ? [{ ...cell, label: text.slice(head.start, head.end).trim() }] : [];
    });
  }
  const heads = findTableHead(text, line);
  return spans.map((cell, at) => ({ ...cell, label: heads[at] ?? "" }));
}

function findCells(text: string, line: TextSpan): TextSpan[] {
  const cells: TextSpan[] = [];
  let start = text.indexOf("|", line.start) + 1;
  while (start < line.end) {
    const bar = text.indexOf("|", start);
    const end = bar === -1 || bar > line.end ? line.end : bar;
    cells.push({ start, end });
    start = end + 1;
  }
  return cells;
}

function findRows(text: string, from: number): TextSpan[] {
  const rows: TextSpan[] = [];
  for (let at = from; at < text.length && rows.length < MAX_ROWS;) {
    const row = findLineAt(text, at);
    if (!isTableRow(text, row)) break;
    rows.push(row);
    at = row.end + 1;
  }
  return rows;
}

function findTableHead(text: string, line: TextSpan): string[] {
  let head = line;
  for (let rows = 0; rows < MAX_ROWS && head.start > 0; rows++) {
    const above = findLineAt(text, head.start - 1);
    if (!isTableRow(text, above)) break;
    head = above;
  }
  return findCells(text, head).map(({ start, end }) => text.slice(start, end).trim());
}

/** Product card: name, price and shop run together. */
function findCard(text: string, mark: BrandSpan, line: TextSpan): Statement[] | undefined {
  const shop = PRODUCT_CARD_PATTERN.exec(text.slice(mark.end, Math.min(line.end, mark.end + 160)));
  if (!shop) return undefined;
  const end = mark.end + shop[0].length;
  const close = text.indexOf(CARD_END, mark.end);
  return [
    { start: mark.start, end: close === -1 ? end : Math.min(end, close), label: "", shopName: shop[1]?.trim() ?? "" },
  ];
}

interface ProseContext {
  mark: BrandSpan;
  line: TextSpan;
  /** Start of the next mention of another brand. */
  next: number;
  previous: BrandSpan | undefined;
}

/** Sentences up to the next mention of another brand, in the line or the block below a title. */
function findProseStatements(text: string, { mark, line, next, previous }: ProseContext): Statement[] {
  const rest = text.slice(mark.end, Math.min(line.end, mark.end + MAX_TITLE_LENGTH + 1));
  const isTitle =
    mark.start - line.start <= 30 && rest.length <= MAX_TITLE_LENGTH && !/[.!?]["”)*]{0,3}\s*$/.test(rest);
  const end = Math.min(next, isTitle ? findBlockEnd(text, line) : line.end);
  const from = Math.max(line.start, previous?.end ?? 0);
  const sentences = splitSentences(text, { start: from, end }).filter((sentence) => sentence.end > mark.start);
  const [first] = sentences;
  // The part of a sentence after another brand's name is about that brand.
  if (first && first.start === from && from === previous?.end) first.start = mark.start;
  const last = sentences.at(-1);
  if (last && last !== first && end === next) sentences.pop();
  return sentences;
}

/** End of the lines below a title: the next title, or a max length. */
function findBlockEnd(text: string, title: TextSpan): number {
  const most = Math.min(text.length, title.end + MAX_BLOCK_LENGTH);
  let isAfterGap = false;
  for (let at = title.end + 1; at < most;) {
    const line = findLineAt(text, at);
    const written = text.slice(line.start, Math.min(line.end, line.start + 200)).trim();
    const isBullet = /^[-*•] /.test(written);
    const isShort = line.end - line.start <= MAX_TITLE_LENGTH && !/[.:!?,]\**$/.test(written);
    const isTitle = MARKED_LINE_PATTERN.test(written) || (isAfterGap && isShort && !isBullet);
    if (written !== "" && isTitle) return line.start;
    isAfterGap = written === "";
    at = line.end + 1;
  }
  return most;
}

function splitSentences(text: string, { start, end }: TextSpan): Statement[] {
  const sentences: Statement[] = [];
  let from = start;
  for (const gap of text.slice(start, end).matchAll(SENTENCE_END_PATTERN)) {
    const cut = start + gap.index;
    const to = /\s/.test(gap[0].charAt(0)) ? cut : cut + 1;
    if (to > from) sentences.push({ start: from, end: to, label: "" });
    from = cut + gap[0].length;
  }
  if (from < end) sentences.push({ start: from, end, label: "" });
  return sentences;
}
