import { toPage, parsePagination } from "../../../core/shared/pagination.ts";

/** `of` names the list in cursors, which also carry `more`. */
export function paginateRows<Row>(
  key: string,
  input: Parameters<typeof parsePagination>[1],
  rows: readonly Row[],
  more: readonly string[] = [],
) {
  const page = parsePagination(key, input);
  const first = Number(page.after?.[0] ?? 0);
  const shown = rows.slice(first, first + page.limit + 1).map((row, at) => ({ row, next: first + at + 1 }));
  const paged = toPage(key, input, shown, { key: ({ next }) => [next, ...more], row: ({ row }) => row });
  return { ...paged, total_count: rows.length };
}

export async function addQuotations<Row extends object, Quote, Quotation, Rest extends object>(
  { data, ...rest }: { data: readonly { row: Row; quotes: readonly Quote[] }[] } & Rest,
  read: (rows: readonly (readonly Quote[])[]) => Promise<Quotation[][]>,
) {
  const quotations = await read(data.map(({ quotes }) => quotes));
  return { data: data.map(({ row }, at) => ({ ...row, quotations: quotations[at] ?? [] })), ...rest };
}
