import type { ExportCell, ExportColumn, Exported, ExportFilter, ExportFilters } from "../../core/exports/exports.ts";
import type { Tenant } from "../../db/engine/store.ts";

/** A table that can be exported: what it holds, and how its rows are read. */
export interface ExportTable {
  what: Exported;
  doc: string;
  filters: readonly ExportFilter[];
  columns: readonly ExportColumn[];
  /** Its rows in parts, in an order that stays: each part is read when the one before was taken. */
  parts(tenant: Tenant, filters: ExportFilters): AsyncIterable<ExportCell[][]>;
}

/** A column with where its value stands in a row. */
export interface ColumnOf<Row> extends ExportColumn {
  value: (row: Row) => ExportCell;
}

export function exportTable<Row>(of: {
  what: Exported;
  doc: string;
  filters: readonly ExportFilter[];
  columns: readonly ColumnOf<Row>[];
  rows(tenant: Tenant, filters: ExportFilters): AsyncIterable<readonly Row[]>;
}): ExportTable {
  const { what, doc, filters: known, columns } = of;
  return {
    what,
    doc,
    filters: known,
    columns,
    async *parts(tenant, filters) {
      for await (const part of of.rows(tenant, filters)) {
        if (part.length > 0) yield part.map((row) => columns.map(({ value }) => value(row)));
      }
    },
  };
}

export type RowOf<Read extends (...of: never[]) => AsyncIterable<readonly unknown[]>> =
  ReturnType<Read> extends AsyncIterable<readonly (infer Row)[]> ? Row : never;

type Described<Row> = [name: string, value: (row: Row) => ExportCell, doc: string, unit?: string];

const columnOf =
  (type: ExportColumn["type"]) =>
  <Row>(...[name, value, doc, unit]: Described<Row>): ColumnOf<Row> => {
    return { name, type, doc, value, ...(unit === undefined ? {} : { unit }) };
  };

/** Columns by what they hold: a name, the value of a row, what it is, and its unit where it has one. */
export const text = columnOf("text");
export const integer = columnOf("integer");
export const number = columnOf("number");
export const boolean = columnOf("boolean");
export const time = columnOf("time");
const jsonText = columnOf("json");

/** A list or an object, as JSON; null stays null. */
export function json<Row>(name: string, value: (row: Row) => object | null, doc: string): ColumnOf<Row> {
  return jsonText(
    name,
    (row: Row) => {
      const held = value(row);
      return held === null ? null : JSON.stringify(held);
    },
    doc,
  );
}
