import { csvLine } from "../../../core/csv-line.ts";
import type { ExportCell, ExportColumn, ExportFormat } from "../../../core/exports.ts";
import { parquetBytes } from "./parquet-bytes.ts";

/** Rows of a table in parts, in the order of its columns. */
export type RowParts = AsyncIterable<ExportCell[][]>;
/** The bytes of a file with these rows, some for each part or for a few: no more is held than these. */
export type RowsWriter = (columns: readonly ExportColumn[], parts: RowParts) => AsyncIterable<Uint8Array>;

/** How each format is written. */
export const ROWS_WRITERS: Readonly<Record<ExportFormat, RowsWriter>> = {
  csv: csvBytes,
  jsonl: jsonLineBytes,
  parquet: parquetBytes,
};

/** RFC 4180 with a header; no value can be a formula of a spreadsheet. Nothing stands where a value is null. */
async function* csvBytes(columns: readonly ExportColumn[], parts: RowParts): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvLine(columns.map(({ name }) => name)));
  for await (const rows of parts) yield Buffer.from(rows.map((row) => csvLine(row.map(csvCell))).join(""));
}

function csvCell(value: ExportCell): string | number | null {
  return typeof value === "boolean" ? String(value) : value;
}

async function* jsonLineBytes(columns: readonly ExportColumn[], parts: RowParts): AsyncGenerator<Uint8Array> {
  const keys = columns.map(({ name, type }) => ({ key: `${JSON.stringify(name)}:`, isJson: type === "json" }));
  for await (const rows of parts) {
    const lines = rows.map((row) => {
      // What is JSON stands as what it is, not as text.
      const fields = keys.map(
        ({ key, isJson }, at) => key + (isJson ? (row[at] ?? "null") : JSON.stringify(row[at] ?? null)),
      );
      return `{${fields.join(",")}}\n`;
    });
    yield Buffer.from(lines.join(""));
  }
}
