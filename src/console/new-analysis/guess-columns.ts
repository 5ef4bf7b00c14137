import { foldName } from "../../../core/shared/names.ts";
import { readRows, type Row, type Separator } from "./read-rows.ts";

const COLUMN_NAMES = {
  keyword: ["keyword", "keywords", "query", "search query", "search term", "term", "prompt", "question", "text"],
  topic: ["topic", "category", "cluster", "subject", "subtopic"],
  thematic: ["thematic", "theme", "group", "keyword group", "ad group", "campaign"],
  type: ["type", "keyword type", "brand or generic"],
  funnel_stage: ["funnel stage", "funnel", "stage"],
  persona: ["persona", "asked as"],
  search_volume: ["search volume", "volume", "searches", "monthly searches", "avg. monthly searches"],
} as const;
export type ColumnKind = keyof typeof COLUMN_NAMES | "";
export const COLUMN_KINDS = Object.keys(COLUMN_NAMES) as Exclude<ColumnKind, "">[];

export interface Columns {
  separator: Separator;
  hasHead: boolean;
  /** Kind of each column; "" for a skipped column. */
  kinds: ColumnKind[];
}

const MAX_SAMPLED_ROWS = 50;

/** Guesses columns by their headers; without headers, a keyword per line or `topic; keyword`. */
export function guessColumns(text: string, separator = guessSeparator(text)): Columns {
  const rows = readRows(text, separator, MAX_SAMPLED_ROWS);
  const hasHead = isHeaderRow(rows[0]);
  return { separator, hasHead, kinds: guessKinds(rows, hasHead) };
}

function guessSeparator(text: string): Separator {
  const byHeader = (["tab", "semicolon", "comma"] as const).find((one) => {
    const [first] = readRows(text.slice(0, 10_000), one, 1);
    return (first?.cells.length ?? 0) > 1 && isHeaderRow(first);
  });
  if (byHeader) return byHeader;
  const lines = text.split("\n", MAX_SAMPLED_ROWS).filter((line) => line.trim() !== "");
  const isMajority = (pattern: RegExp) =>
    lines.length > 0 && 2 * lines.filter((line) => pattern.test(line)).length > lines.length;
  if (isMajority(/\t/)) return "tab";
  if (isMajority(/;/)) return "semicolon";
  // Keywords may contain commas, so commas separate only quoted values.
  return isMajority(/^\uFEFF?".*",/) ? "comma" : "none";
}

function findColumnKind(cell: string): ColumnKind {
  const name = foldName(cell)
    .replaceAll(/[\s_-]+/g, " ")
    .trim();
  return COLUMN_KINDS.find((kind) => COLUMN_NAMES[kind].some((known) => known === name)) ?? "";
}

function isHeaderRow(row: Row | undefined): boolean {
  return row?.cells.some((cell) => findColumnKind(cell) === "keyword") ?? false;
}

function guessKinds(rows: readonly Row[], hasHead: boolean): ColumnKind[] {
  const count = Math.max(1, ...rows.map(({ cells }) => cells.length));
  if (hasHead) {
    const named = (rows[0]?.cells ?? []).map(findColumnKind);
    return Array.from({ length: count }, (_, at) => {
      const kind = named[at] ?? "";
      return named.indexOf(kind) === at ? kind : "";
    });
  }
  const defaultKinds: ColumnKind[] = count === 1 ? ["keyword"] : ["topic", "keyword"];
  return Array.from({ length: count }, (_, at) => defaultKinds[at] ?? "");
}
