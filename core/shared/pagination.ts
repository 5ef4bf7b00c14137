import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "./errors.ts";
import { parseJson } from "./json.ts";

/** `after`: sort key before the page. Repositories read `limit + 1` rows to detect a next page. */
export interface Page<Key extends string | number = string> {
  limit: number;
  after: Key[] | null;
}

const CursorShape = z.tuple([z.string(), z.array(z.union([z.string(), z.number()])).min(1)]);

/** A cursor is bound to its list and filters; throws VALIDATION_FAILED otherwise. */
export function parsePagination(list: string, input: { limit: number; cursor?: string | undefined }): Page {
  if (input.cursor === undefined) return { limit: input.limit, after: null };
  const parsed = CursorShape.safeParse(decode(input.cursor));
  if (!parsed.success || parsed.data[0] !== hashFilters(list, input)) {
    throw new AppError("VALIDATION_FAILED", "The cursor does not belong to this list with these filters.", {
      fields: [{ path: "cursor", message: "use next_cursor of the same list, with the same filters" }],
    });
  }
  return { limit: input.limit, after: parsed.data[1].map(String) };
}

/** The extra row only indicates a next page. `searchedTo`: key at which a search stopped early. */
export function toPage<Row, Out>(
  list: string,
  input: { limit: number; cursor?: string | undefined },
  rows: readonly Row[],
  shape: {
    key: (row: Row) => (string | number)[];
    row: (row: Row) => Out;
    searchedTo?: readonly (string | number)[] | null;
  },
): { data: Out[]; next_cursor: string | null } {
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  const more = rows.length > input.limit && last !== undefined;
  const next = more ? shape.key(last) : (shape.searchedTo ?? null);
  return {
    data: shown.map((row) => shape.row(row)),
    next_cursor:
      next === null ? null : Buffer.from(JSON.stringify([hashFilters(list, input), next])).toString("base64url"),
  };
}

/** Hash of the list and its inputs, except cursor and page size. */
function hashFilters(list: string, input: Record<string, unknown> | object): string {
  const filters = Object.entries(input).filter(
    ([key, value]) => key !== "cursor" && key !== "limit" && value !== undefined,
  );
  const text = JSON.stringify([list, filters.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

function decode(cursor: string): unknown {
  try {
    return parseJson(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
