import type { ExportCell, ExportColumn, ExportKind, ExportFilter, ExportFilters } from "../../core/exports/exports.ts";
import type { Tenant } from "../../db/engine/store.ts";

export interface ExportTable {
  what: ExportKind;
  doc: string;
  filters: readonly ExportFilter[];
  columns: readonly ExportColumn[];
  /** Rows in batches, in a stable order. Each batch is read after the previous one is consumed. */
  iterateBatches(tenant: Tenant, filters: ExportFilters): AsyncIterable<ExportCell[][]>;
}

export interface ColumnOf<Row> extends ExportColumn {
  value: (row: Row) => ExportCell;
}

export function exportTable<Row>(table: {
  what: ExportKind;
  doc: string;
  filters: readonly ExportFilter[];
  columns: readonly ColumnOf<Row>[];
  rows(tenant: Tenant, filters: ExportFilters): AsyncIterable<readonly Row[]>;
}): ExportTable {
  const { what, doc, filters: supported, columns } = table;
  return {
    what,
    doc,
    filters: supported,
    columns,
    async *iterateBatches(tenant, filters) {
      for await (const part of table.rows(tenant, filters)) {
        if (part.length > 0) yield part.map((row) => columns.map(({ value }) => value(row)));
      }
    },
  };
}

export type RowOf<Read extends (...of: never[]) => AsyncIterable<readonly unknown[]>> =
  ReturnType<Read> extends AsyncIterable<readonly (infer Row)[]> ? Row : never;

type ColumnSpec<Row> = [name: string, value: (row: Row) => ExportCell, doc: string, unit?: string];

const columnFactory =
  (type: ExportColumn["type"]) =>
  <Row>(...[name, value, doc, unit]: ColumnSpec<Row>): ColumnOf<Row> => {
    return { name, type, doc, value, ...(unit === undefined ? {} : { unit }) };
  };

export const text = columnFactory("text");
export const integer = columnFactory("integer");
export const number = columnFactory("number");
export const boolean = columnFactory("boolean");
export const time = columnFactory("time");
const jsonTextColumn = columnFactory("json");

export function json<Row>(name: string, value: (row: Row) => object | null, doc: string): ColumnOf<Row> {
  return jsonTextColumn(
    name,
    (row: Row) => {
      const held = value(row);
      return held === null ? null : JSON.stringify(held);
    },
    doc,
  );
}
