import { html, type Html } from "../../http/pages/html.ts";
import type { Column } from "../../http/pages/table.ts";
import { queryWith } from "./places.ts";

type Direction = "asc" | "desc";

/** Sort keys as in the URL, each with its default direction. */
export type Sorts<Key extends string = string> = Readonly<Record<Key, Direction>>;

export interface Order<Key extends string = string> {
  sort: Key;
  direction: Direction;
}

/** Sort parameters in the URL. `own` prefixes them if the page has several tables. */
function namesOf(own: string | undefined): { sort: string; direction: string } {
  const of = own === undefined ? "" : `${own}_`;
  return { sort: `${of}sort`, direction: `${of}direction` };
}

/** Hidden fields that preserve the sort order of all tables in a GET form. */
export function orderFields(query: URLSearchParams): Html {
  const given = [...query].filter(([name]) => /^(?:\w+_)?(?:sort|direction)$/.test(name));
  return html`${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

/** Sort order in the URL; undefined for an unknown key. */
export function orderIn<Key extends string>(
  query: URLSearchParams,
  sorts: Sorts<Key>,
  own?: string,
): Order<Key> | undefined {
  const names = namesOf(own);
  const sort = (Object.keys(sorts) as Key[]).find((one) => one === query.get(names.sort));
  if (sort === undefined) return undefined;
  const direction = query.get(names.direction);
  return { sort, direction: direction === "asc" || direction === "desc" ? direction : sorts[sort] };
}

export function orderInput<Key extends string>(query: URLSearchParams, sorts: Sorts<Key>) {
  const order = orderIn(query, sorts);
  return order && { sort: order.sort, sort_direction: order.direction };
}

type SortHead<Key extends string> = (sort: Key, words: string | Html, what?: "number" | "text") => Column;

/**
 * Returns sortable headers: default direction first, reversed if already sorted. `id` is the anchor
 * of the table, `usual` the order without parameters, `own` as for `orderIn`.
 */
export function sortHeads<Key extends string>(of: {
  path: string;
  query: URLSearchParams;
  id: string;
  sorts: Sorts<Key>;
  usual?: NoInfer<Order<Key>> | undefined;
  own?: string;
  /** True if columns sort only in their default direction. */
  isOneWay?: boolean;
}): SortHead<Key> {
  const { path, query, id, sorts, usual, own, isOneWay = false } = of;
  const names = namesOf(own);
  const now = orderIn(query, sorts, own) ?? usual;
  return (sort, words, what = "number") => {
    const sorted = now?.sort === sort ? now.direction : undefined;
    const other = sorts[sort] === "asc" ? "desc" : "asc";
    const direction = sorted === sorts[sort] ? other : sorts[sort];
    // Sorting restarts a list at its first page; other tables on the page keep theirs.
    const first = own === undefined ? { cursor: undefined, page: undefined } : {};
    const to = queryWith(query, { [names.sort]: sort, [names.direction]: direction, ...first });
    const arrow = sorted === undefined ? "" : sorted === "asc" ? " ↑" : " ↓";
    const shown = html`${words}<span aria-hidden="true">${arrow}</span>`;
    const link = isOneWay && sorted !== undefined ? shown : html`<a href="${path}${to}#${id}">${shown}</a>`;
    return { [what]: link, sorted } as { number: typeof link; sorted: typeof sorted }; // or text, which is alike
  };
}

const TEXTS = new Intl.Collator("en");

type Value = string | number | null | undefined;

/**
 * A table that is complete on its page: default direction and row value of each sort key. `id` is
 * the table's anchor and prefixes its sort parameters.
 */
export function wholeTable<Row, Key extends string>(
  id: string,
  columns: Readonly<Record<Key, readonly [first: Direction, value: (row: Row) => Value]>>,
) {
  const named = Object.entries(columns) as [Key, (typeof columns)[Key]][];
  const sorts = Object.fromEntries(named.map(([key, [first]]) => [key, first])) as Sorts<Key>;
  return {
    heads: (path: string, query: URLSearchParams, usual?: Order<Key>) =>
      sortHeads({ path, query, id, sorts, usual, own: id }),
    isSorted: (query: URLSearchParams) => orderIn(query, sorts, id) !== undefined,
    /** Missing values come last in either direction; ties keep their order. */
    inOrder: (rows: readonly Row[], query: URLSearchParams): readonly Row[] => {
      const order = orderIn(query, sorts, id);
      if (!order) return rows;
      const [, value] = columns[order.sort];
      const way = order.direction === "asc" ? 1 : -1;
      return rows.toSorted((a, b) => compared(value(a) ?? null, value(b) ?? null, way));
    },
  };
}

function compared(a: string | number | null, b: string | number | null, way: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") return way * TEXTS.compare(a, b);
  return way * (Number(a) - Number(b));
}
