import { html } from "../html.ts";
import type { Column } from "../table.ts";
import { queryWith } from "./places.ts";

type Direction = "asc" | "desc";

/** What a table can be sorted by, as its address names it, each with the direction that comes first. */
export type Sorts<Key extends string = string> = Readonly<Record<Key, Direction>>;

export interface Order<Key extends string = string> {
  sort: Key;
  direction: Direction;
}

/** The order that an address asks for; undefined where it names none of these. */
export function orderIn<Key extends string>(query: URLSearchParams, sorts: Sorts<Key>): Order<Key> | undefined {
  const sort = (Object.keys(sorts) as Key[]).find((one) => one === query.get("sort"));
  if (sort === undefined) return undefined;
  const direction = query.get("direction");
  return { sort, direction: direction === "asc" || direction === "desc" ? direction : sorts[sort] };
}

/** The same as endpoints take it. */
export function orderInput<Key extends string>(query: URLSearchParams, sorts: Sorts<Key>) {
  const order = orderIn(query, sorts);
  return order && { sort: order.sort, sort_direction: order.direction };
}

/**
 * Makes the heads of a table that sort by their columns: the usual way first, the other way where the table is sorted so. `path` is
 * that of the page, `id` that of the table's part of it, and `usual` the order where the address asks for none.
 */
export function sortHeads<Key extends string>(of: {
  path: string;
  query: URLSearchParams;
  id: string;
  sorts: Sorts<Key>;
  usual?: NoInfer<Order<Key>> | undefined;
}): (sort: Key, words: string, what?: "number" | "text") => Column {
  const { path, query, id, sorts, usual } = of;
  const now = orderIn(query, sorts) ?? usual;
  return (sort, words, what = "number") => {
    const sorted = now?.sort === sort ? now.direction : undefined;
    const other = sorts[sort] === "asc" ? "desc" : "asc";
    const direction = sorted === sorts[sort] ? other : sorts[sort];
    const to = queryWith(query, { sort, direction, cursor: undefined, page: undefined });
    const arrow = sorted === undefined ? "" : sorted === "asc" ? " ↑" : " ↓";
    const link = html`<a href="${path}${to}#${id}">${words}<span aria-hidden="true">${arrow}</span></a>`;
    return { [what]: link, sorted } as { number: typeof link; sorted: typeof sorted }; // or text, which is alike
  };
}
