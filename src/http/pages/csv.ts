import { once } from "node:events";
import type { Response } from "express";
import { formatCsvLine } from "../../../core/shared/csv-line.ts";
import { PAGE_HEADERS } from "./page.ts";

export const MAX_CSV_ROWS = 10_000;

export function setCsvHeaders(response: Response, name: string): Response {
  return response.set({ ...PAGE_HEADERS, "content-disposition": `attachment; filename="${name}"` }).type("text/csv");
}

/** Field name, or a header with a function. Values are those of the API response. */
export type CsvColumn<Row> = (keyof Row & string) | readonly [head: string, value: (row: Row) => CsvValue];

type CsvValue = string | number | boolean | readonly (string | number)[] | null | undefined;

/** Streams with backpressure. Sends nothing if the first part throws. */
export async function sendCsv<Row>(
  response: Response,
  name: string,
  file: { columns: readonly CsvColumn<Row>[]; parts: AsyncIterable<readonly Row[]> },
): Promise<void> {
  let room = MAX_CSV_ROWS;
  const closed = once(response, "close");
  for await (const part of file.parts) {
    if (!response.headersSent)
      setCsvHeaders(response, name).write(
        formatCsvLine(file.columns.map((column) => (typeof column === "string" ? column : column[0]))),
      );
    const lines = part
      .slice(0, room)
      .map((row) => formatCsvLine(file.columns.map((column) => toCellValue(row, column))));
    room -= lines.length;
    const isTaken = response.write(lines.join(""));
    if (response.closed || room === 0) break;
    if (!isTaken) await Promise.race([once(response, "drain"), closed]);
  }
  response.end();
}

function toCellValue<Row>(row: Row, column: CsvColumn<Row>): string | number | null {
  // Reads a field with a plain value by name; other columns declare a function.
  const value = typeof column === "string" ? (row[column] as CsvValue) : column[1](row);
  if (typeof value === "number") return value;
  if (typeof value === "object") return value === null ? null : value.join("; ");
  return value === undefined ? null : String(value);
}
