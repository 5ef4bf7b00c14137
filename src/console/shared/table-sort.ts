import { html, type Html } from "../../http/pages/html.ts";
import type { Column } from "../../http/pages/table.ts";
import { updateQuery } from "./page-addresses.ts";

type SortDirection = "asc" | "desc";

/** Sort keys as in the URL, each with its default direction. */
export type SortOptions<Key extends string = string> = Readonly<Record<Key, SortDirection>>;

export interface TableSort<Key extends string = string> {
  sort: Key;
  direction: SortDirection;
}

/** The prefix separates the sort parameters of several tables on a page. */
function toSortParameterNames(prefix: string | undefined): { sortName: string; directionName: string } {
  const of = prefix === undefined ? "" : `${prefix}_`;
  return { sortName: `${of}sort`, directionName: `${of}direction` };
}

export function renderHiddenSortFields(query: URLSearchParams): Html {
  const given = [...query].filter(([name]) => /^(?:\w+_)?(?:sort|direction)$/.test(name));
  return html`${given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

/** Sort order in the URL; undefined for an unknown key. */
export function parseTableSort<Key extends string>(
  query: URLSearchParams,
  sorts: SortOptions<Key>,
  own?: string,
): TableSort<Key> | undefined {
  const names = toSortParameterNames(own);
  const sort = (Object.keys(sorts) as Key[]).find((one) => one === query.get(names.sortName));
  if (sort === undefined) return undefined;
  const direction = query.get(names.directionName);
  return { sort, direction: direction === "asc" || direction === "desc" ? direction : sorts[sort] };
}

export function toSortInput<Key extends string>(query: URLSearchParams, sorts: SortOptions<Key>) {
  const order = parseTableSort(query, sorts);
  return order && { sort: order.sort, sort_direction: order.direction };
}

type SortHeader<Key extends string> = (sort: Key, words: string | Html, what?: "number" | "text") => Column;

/** `id` is the anchor of the table, `usual` the order without sort parameters. */
export function sortableHeaders<Key extends string>(options: {
  path: string;
  query: URLSearchParams;
  id: string;
  sorts: SortOptions<Key>;
  usual?: NoInfer<TableSort<Key>> | undefined;
  own?: string;
  /** True if columns sort only in their default direction. */
  isOneWay?: boolean;
}): SortHeader<Key> {
  const { path, query, id, sorts, usual, own, isOneWay = false } = options;
  const names = toSortParameterNames(own);
  const currentOrder = parseTableSort(query, sorts, own) ?? usual;
  return (sort, words, kind = "number") => {
    const sortDirection = currentOrder?.sort === sort ? currentOrder.direction : undefined;
    const other = sorts[sort] === "asc" ? "desc" : "asc";
    const direction = sortDirection === sorts[sort] ? other : sorts[sort];
    // Sorting restarts a list at its first page; other tables on the page keep theirs.
    const first = own === undefined ? { cursor: undefined, page: undefined } : {};
    const to = updateQuery(query, { [names.sortName]: sort, [names.directionName]: direction, ...first });
    const arrow = sortDirection === undefined ? "" : sortDirection === "asc" ? " ↑" : " ↓";
    const shown = html`${words}<span aria-hidden="true">${arrow}</span>`;
    const link = isOneWay && sortDirection !== undefined ? shown : html`<a href="${path}${to}#${id}">${shown}</a>`;
    return { [kind]: link, sortDirection } as { number: typeof link; sortDirection: typeof sortDirection }; // safe: headers of text have the same shape
  };
}

const TEXT_COLLATOR = new Intl.Collator("en");

type SortValue = string | number | null | undefined;

/** For a list that is complete on its page. `id` is its anchor and prefixes its sort parameters. */
export function sortableTable<Row, Key extends string>(
  id: string,
  columns: Readonly<Record<Key, readonly [first: SortDirection, value: (row: Row) => SortValue]>>,
) {
  const columnEntries = Object.entries(columns) as [Key, (typeof columns)[Key]][];
  const sorts = Object.fromEntries(columnEntries.map(([key, [first]]) => [key, first])) as SortOptions<Key>;
  return {
    headers: (path: string, query: URLSearchParams, usual?: TableSort<Key>) =>
      sortableHeaders({ path, query, id, sorts, usual, own: id }),
    isSorted: (query: URLSearchParams) => parseTableSort(query, sorts, id) !== undefined,
    /** Missing values come last in either direction; ties keep their order. */
    sortRows: (rows: readonly Row[], query: URLSearchParams): readonly Row[] => {
      const order = parseTableSort(query, sorts, id);
      if (!order) return rows;
      const [, value] = columns[order.sort];
      const way = order.direction === "asc" ? 1 : -1;
      return rows.toSorted((a, b) => compareValues(value(a) ?? null, value(b) ?? null, way));
    },
  };
}

function compareValues(a: string | number | null, b: string | number | null, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") return sign * TEXT_COLLATOR.compare(a, b);
  return sign * (Number(a) - Number(b));
}
