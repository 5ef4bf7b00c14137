import { pageOf, readPage } from "../../../core/shared/page.ts";

/** `of` names the list in cursors, which also carry `more`. */
export function pageOfRows<Row>(
  of: string,
  input: Parameters<typeof readPage>[1],
  rows: readonly Row[],
  more: readonly string[] = [],
) {
  const page = readPage(of, input);
  const first = Number(page.after?.[0] ?? 0);
  const shown = rows.slice(first, first + page.limit + 1).map((row, at) => ({ row, next: first + at + 1 }));
  const paged = pageOf(of, input, shown, { key: ({ next }) => [next, ...more], row: ({ row }) => row });
  return { ...paged, total_count: rows.length };
}

export async function withQuotations<Row extends object, Quote, Quotation, Rest extends object>(
  { data, ...rest }: { data: readonly { row: Row; quotes: readonly Quote[] }[] } & Rest,
  read: (rows: readonly (readonly Quote[])[]) => Promise<Quotation[][]>,
) {
  const quotations = await read(data.map(({ quotes }) => quotes));
  return { data: data.map(({ row }, at) => ({ ...row, quotations: quotations[at] ?? [] })), ...rest };
}
