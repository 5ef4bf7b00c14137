import { pageOf, readPage } from "../../core/page.ts";

/** A page of rows that were all read, with how many there are: `of` names the list in cursors. */
export function pageOfRows<Row>(of: string, input: Parameters<typeof readPage>[1], rows: readonly Row[]) {
  const page = readPage(of, input);
  const first = Number(page.after?.[0] ?? 0);
  const shown = rows.slice(first, first + page.limit + 1).map((row, at) => ({ row, next: first + at + 1 }));
  const paged = pageOf(of, input, shown, { key: ({ next }) => [next], row: ({ row }) => row });
  return { ...paged, total_count: rows.length };
}
