import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { BasicType } from "hyparquet-writer";
import type { ExportCell, ExportColumn } from "../../../core/exports.ts";
import { parseJson } from "../../../core/json.ts";

/** A group of rows is written once it has so many rows, or about so many characters of text: what is held at once. */
const [GROUP_ROWS, GROUP_CHARACTERS] = [20_000, 8_000_000];

const TYPES: Readonly<Record<ExportColumn["type"], BasicType>> = {
  text: "STRING",
  integer: "INT64",
  number: "DOUBLE",
  boolean: "BOOLEAN",
  time: "TIMESTAMP",
  json: "JSON",
};

/** Apache Parquet: Snappy, a group of rows at a time. Every column may be null. */
export async function* parquetBytes(
  columns: readonly ExportColumn[],
  parts: AsyncIterable<ExportCell[][]>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const types = columns.map(({ name, type }) => ({ name, type: TYPES[type], nullable: true, offsetIndex: false }));
  const schema = schemaFromColumnData({ columnData: types.map((column) => ({ ...column, data: [] })) });
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: "brand-visibility-analytics" });
  let [group, characters]: [ExportCell[][], number] = [[], 0];

  async function taken(): Promise<Uint8Array> {
    const columnData = types.map((column, at) => {
      return { ...column, data: group.map((row) => parquetValue(row[at] ?? null, columns[at]?.type)) };
    });
    if (group.length > 0) await writer.write({ columnData, rowGroupSize: group.length });
    [group, characters] = [[], 0];
    return emptied(bytes);
  }

  for await (const rows of parts) {
    group.push(...rows);
    for (const row of rows) for (const cell of row) characters += typeof cell === "string" ? cell.length : 8;
    if (group.length >= GROUP_ROWS || characters >= GROUP_CHARACTERS) yield await taken();
  }
  yield await taken();
  await writer.finish();
  yield emptied(bytes);
}

/** What was written since the last time. The count of all bytes goes on: offsets in the file are of it. */
function emptied(bytes: ByteWriter): Uint8Array {
  const taken = bytes.getBytes().slice();
  bytes.index = 0;
  return taken;
}

function parquetValue(value: ExportCell, type: ExportColumn["type"] | undefined): unknown {
  if (value === null) return null;
  if (type === "time") return new Date(String(value));
  if (type === "integer") return BigInt(Math.trunc(Number(value)));
  return type === "json" ? parseJson(String(value)) : value;
}
