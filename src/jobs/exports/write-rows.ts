import { type BasicType, ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { formatCsvLine } from "../../../core/shared/csv-line.ts";
import type { ExportCell, ExportColumn, ExportFormat } from "../../../core/exports/exports.ts";
import { parseJson } from "../../../core/shared/json.ts";

export type RowParts = AsyncIterable<ExportCell[][]>;
/** Holds only a few parts in memory. */
export type RowsWriter = (columns: readonly ExportColumn[], parts: RowParts) => AsyncIterable<Uint8Array>;

export const ROWS_WRITERS: Readonly<Record<ExportFormat, RowsWriter>> = {
  csv: encodeCsv,
  jsonl: encodeJsonLines,
  parquet: encodeParquet,
};

/** RFC 4180 with a header. Escapes spreadsheet formulas. Null is an empty field. */
async function* encodeCsv(columns: readonly ExportColumn[], parts: RowParts): AsyncGenerator<Uint8Array> {
  yield Buffer.from(formatCsvLine(columns.map(({ name }) => name)));
  for await (const rows of parts)
    yield Buffer.from(
      rows.map((row) => formatCsvLine(row.map((cell) => (typeof cell === "boolean" ? String(cell) : cell)))).join(""),
    );
}

async function* encodeJsonLines(columns: readonly ExportColumn[], parts: RowParts): AsyncGenerator<Uint8Array> {
  const keys = columns.map(({ name, type }) => ({ key: `${JSON.stringify(name)}:`, isJson: type === "json" }));
  for await (const rows of parts) {
    const lines = rows.map((row) => {
      // JSON columns stay JSON instead of text.
      const fields = keys.map(
        ({ key, isJson }, at) => key + (isJson ? (row[at] ?? "null") : JSON.stringify(row[at] ?? null)),
      );
      return `{${fields.join(",")}}\n`;
    });
    yield Buffer.from(lines.join(""));
  }
}

/** A row group is held in memory. The count of characters is approximate. */
const [MAX_GROUP_ROWS, MAX_GROUP_CHARACTERS] = [20_000, 8_000_000];

const PARQUET_TYPES: Readonly<Record<ExportColumn["type"], BasicType>> = {
  text: "STRING",
  integer: "INT64",
  number: "DOUBLE",
  boolean: "BOOLEAN",
  time: "TIMESTAMP",
  json: "JSON",
};

/** Snappy compression; every column is nullable. */
async function* encodeParquet(
  columns: readonly ExportColumn[],
  parts: AsyncIterable<ExportCell[][]>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const types = columns.map(({ name, type }) => ({
    name,
    type: PARQUET_TYPES[type],
    nullable: true,
    offsetIndex: false,
  }));
  const schema = schemaFromColumnData({ columnData: types.map((column) => ({ ...column, data: [] })) });
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: "brand-visibility-analytics" });
  let [group, characters]: [ExportCell[][], number] = [[], 0];

  async function flushRowGroup(): Promise<Uint8Array> {
    const columnData = types.map((column, at) => {
      return { ...column, data: group.map((row) => toParquetValue(row[at] ?? null, columns[at]?.type)) };
    });
    if (group.length > 0) await writer.write({ columnData, rowGroupSize: group.length });
    [group, characters] = [[], 0];
    return takeBytes(bytes);
  }

  for await (const rows of parts) {
    group.push(...rows);
    for (const row of rows) for (const cell of row) characters += typeof cell === "string" ? cell.length : 8;
    if (group.length >= MAX_GROUP_ROWS || characters >= MAX_GROUP_CHARACTERS) yield await flushRowGroup();
  }
  yield await flushRowGroup();
  await writer.finish();
  yield takeBytes(bytes);
}

/** Keeps the writer's total, because Parquet stores file offsets. */
function takeBytes(bytes: ByteWriter): Uint8Array {
  const taken = bytes.getBytes().slice();
  bytes.index = 0;
  return taken;
}

function toParquetValue(value: ExportCell, type: ExportColumn["type"] | undefined): unknown {
  if (value === null) return null;
  if (type === "time") return new Date(String(value));
  if (type === "integer") return BigInt(Math.trunc(Number(value)));
  return type === "json" ? parseJson(String(value)) : value;
}
