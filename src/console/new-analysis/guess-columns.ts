import { foldName } from "../../../core/shared/names.ts";
import { readRows, type Row, type Separator } from "./read-rows.ts";

const KNOWN = {
  keyword: ["keyword", "keywords", "query", "search query", "search term", "term", "prompt", "question", "text"],
  topic: ["topic", "category", "cluster", "subject", "subtopic"],
  thematic: ["thematic", "theme", "group", "keyword group", "ad group", "campaign"],
  type: ["type", "keyword type", "brand or generic"],
  funnel_stage: ["funnel stage", "funnel", "stage"],
  persona: ["persona", "asked as"],
  search_volume: ["search volume", "volume", "searches", "monthly searches", "avg. monthly searches"],
} as const;
export type ColumnKind = keyof typeof KNOWN | "";
export const COLUMN_KINDS = Object.keys(KNOWN) as Exclude<ColumnKind, "">[];

export interface Columns {
  separator: Separator;
  /** True if the first row has column names. */
  hasHead: boolean;
  /** Kind of each column; "" for a skipped column. */
  kinds: ColumnKind[];
}

const ROWS_LOOKED_AT = 50;

/** Guesses columns by their headers; without headers, a keyword per line or `topic; keyword`. */
export function guessColumns(text: string, separator = guessSeparator(text)): Columns {
  const rows = readRows(text, separator, ROWS_LOOKED_AT);
  const hasHead = isHead(rows[0]);
  return { separator, hasHead, kinds: guessKinds(rows, hasHead) };
}

function guessSeparator(text: string): Separator {
  const byHead = (["tab", "semicolon", "comma"] as const).find((one) => {
    const [first] = readRows(text.slice(0, 10_000), one, 1);
    return (first?.cells.length ?? 0) > 1 && isHead(first);
  });
  if (byHead) return byHead;
  const lines = text.split("\n", ROWS_LOOKED_AT).filter((line) => line.trim() !== "");
  const most = (pattern: RegExp) =>
    lines.length > 0 && 2 * lines.filter((line) => pattern.test(line)).length > lines.length;
  if (most(/\t/)) return "tab";
  if (most(/;/)) return "semicolon";
  // Keywords may contain commas, so commas separate only quoted values.
  return most(/^\uFEFF?".*",/) ? "comma" : "none";
}

function kindNamed(cell: string): ColumnKind {
  const name = foldName(cell)
    .replaceAll(/[\s_-]+/g, " ")
    .trim();
  return COLUMN_KINDS.find((kind) => KNOWN[kind].some((known) => known === name)) ?? "";
}

function isHead(row: Row | undefined): boolean {
  return row?.cells.some((cell) => kindNamed(cell) === "keyword") ?? false;
}

function guessKinds(rows: readonly Row[], hasHead: boolean): ColumnKind[] {
  const count = Math.max(1, ...rows.map(({ cells }) => cells.length));
  if (hasHead) {
    const named = (rows[0]?.cells ?? []).map(kindNamed);
    return Array.from({ length: count }, (_, at) => {
      const kind = named[at] ?? "";
      return named.indexOf(kind) === at ? kind : "";
    });
  }
  const usual: ColumnKind[] = count === 1 ? ["keyword"] : ["topic", "keyword"];
  return Array.from({ length: count }, (_, at) => usual[at] ?? "");
}
