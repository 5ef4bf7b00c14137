import { html, type Html } from "../../http/pages/html.ts";
import type { Column } from "../../http/pages/table.ts";
import { queryWith } from "./places.ts";

type Direction = "asc" | "desc";

/** What a table can be sorted by, as its address names it, each with the direction that comes first. */
export type Sorts<Key extends string = string> = Readonly<Record<Key, Direction>>;

export interface Order<Key extends string = string> {
  sort: Key;
  direction: Direction;
}

/** The parameters of an address that say how a table is sorted. `own` is the name of one that has other tables beside it. */
function namesOf(own: string | undefined): { sort: string; direction: string } {
  const of = own === undefined ? "" : `${own}_`;
  return { sort: `${of}sort`, direction: `${of}direction` };
}

/** Hidden fields by which a form whose choices become the address leaves all tables sorted as they are. */
export function orderFields(query: URLSearchParams): Html {
  const given = [...query].filter(([name]) => /^(?:\w+_)?(?:sort|direction)$/.test(name));
  return html`${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

/** The order that an address asks for; undefined where it names none of these. */
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

/** The same as endpoints take it. */
export function orderInput<Key extends string>(query: URLSearchParams, sorts: Sorts<Key>) {
  const order = orderIn(query, sorts);
  return order && { sort: order.sort, sort_direction: order.direction };
}

type SortHead<Key extends string> = (sort: Key, words: string | Html, what?: "number" | "text") => Column;

/**
 * Makes the heads of a table that sort by their columns: the usual way first, the other way where the table is sorted so. `path` is
 * that of the page, `id` that of the table's part of it, `usual` the order where the address asks for none, and `own` as for `orderIn`.
 */
export function sortHeads<Key extends string>(of: {
  path: string;
  query: URLSearchParams;
  id: string;
  sorts: Sorts<Key>;
  usual?: NoInfer<Order<Key>> | undefined;
  own?: string;
  /** True where each column sorts in the direction that comes first alone. */
  isOneWay?: boolean;
}): SortHead<Key> {
  const { path, query, id, sorts, usual, own, isOneWay = false } = of;
  const names = namesOf(own);
  const now = orderIn(query, sorts, own) ?? usual;
  return (sort, words, what = "number") => {
    const sorted = now?.sort === sort ? now.direction : undefined;
    const other = sorts[sort] === "asc" ? "desc" : "asc";
    const direction = sorted === sorts[sort] ? other : sorts[sort];
    // A list goes back to its beginning; the pages of another one beside it stay.
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
 * A table that is whole on its page: each column that it can be sorted by, with the direction that comes first and the value of a row.
 * `id` is that of its part of the page, by which it is sorted apart from the tables beside it.
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
    /** The rows as the address sorts them. What has no value comes last in either direction; ties stay as they are. */
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
