export const COLUMN_SEPARATORS = { none: "", semicolon: ";", comma: ",", tab: "\t" } as const;
export type Separator = keyof typeof COLUMN_SEPARATORS;

/** `line` is the 1-based line on which the row starts. */
export interface Row {
  line: number;
  cells: string[];
}

export const MAX_LINES = 20_000;

export function hasMoreLines(text: string): boolean {
  return text.split(/\r\n?|\n/, MAX_LINES + 1).length > MAX_LINES;
}

/** Skips empty rows. Values may be quoted as in RFC 4180, except with one value per line. */
export function readRows(text: string, separator: Separator, maxRows = Infinity): Row[] {
  const plain = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const between = COLUMN_SEPARATORS[separator];
  const rows: Row[] = [];
  for (const { line, cells } of between === "" ? splitLines(plain) : splitCells(plain, between)) {
    const values = cells.map((cell) => cell.trim());
    if (values.some((value) => value !== "")) rows.push({ line, cells: values });
    if (rows.length >= maxRows || line >= MAX_LINES) break;
  }
  return rows;
}

function* splitLines(text: string): Generator<Row> {
  for (const [at, value] of text.split("\n", MAX_LINES).entries()) yield { line: at + 1, cells: [value] };
}

function* splitCells(text: string, between: string): Generator<Row> {
  let [line, start] = [1, 1];
  let cells: string[] = [];
  for (let at = 0; at <= text.length;) {
    const quoted = text[at] === '"' ? parseQuotedValue(text, at, between) : undefined;
    const end = quoted?.end ?? findPlainEnd(text, at, between);
    const raw = text.slice(at, end);
    cells.push(quoted?.value ?? raw);
    line += raw.split("\n").length - 1;
    if (text[end] !== between) {
      yield { line: start, cells };
      cells = [];
      start = ++line;
    }
    at = end + 1;
  }
}

function findPlainEnd(text: string, from: number, between: string): number {
  let end = from;
  while (end < text.length && text[end] !== between && text[end] !== "\n") end++;
  return end;
}

/** Undefined if the closing quote is not followed by the end of the value. */
function parseQuotedValue(text: string, from: number, between: string): { value: string; end: number } | undefined {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] === '"') at++;
    else {
      const isEnd = [undefined, "\n", between].includes(text[at + 1]);
      return isEnd ? { value: text.slice(from + 1, at).replaceAll('""', '"'), end: at + 1 } : undefined;
    }
  }
  return undefined;
}
