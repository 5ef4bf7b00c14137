import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "./errors.ts";
import { parseJson } from "./json.ts";

/**
 * Where a page starts: after the row with this key. Keys are the values that the list is ordered by. Repositories
 * read one row more than `limit`, which shows that another page follows.
 */
export interface Page<Key extends string | number = string> {
  limit: number;
  after: Key[] | null;
}

const CursorShape = z.tuple([z.string(), z.array(z.union([z.string(), z.number()])).min(1)]);

/**
 * Reads `limit` and `cursor` of a list's input. A cursor is bound to the list and its filters: with others it is
 * VALIDATION_FAILED.
 */
export function readPage(list: string, input: { limit: number; cursor?: string | undefined }): Page {
  if (input.cursor === undefined) return { limit: input.limit, after: null };
  const parsed = CursorShape.safeParse(decode(input.cursor));
  if (!parsed.success || parsed.data[0] !== binding(list, input)) {
    throw new AppError("VALIDATION_FAILED", "The cursor does not belong to this list with these filters.", {
      fields: [{ path: "cursor", message: "use next_cursor of the same list, with the same filters" }],
    });
  }
  return { limit: input.limit, after: parsed.data[1].map(String) };
}

/**
 * Shapes up to `limit + 1` rows as a list; the extra row only tells that there is more. `searchedTo` is the key at which a
 * search stopped before the end of the list, so that the next page goes on there.
 */
export function pageOf<Row, Out>(
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
    next_cursor: next === null ? null : encode([binding(list, input), next]),
  };
}

/** A short hash of the list's name and every input but the cursor and the page size. */
function binding(list: string, input: Record<string, unknown> | object): string {
  const filters = Object.entries(input).filter(
    ([key, value]) => key !== "cursor" && key !== "limit" && value !== undefined,
  );
  const text = JSON.stringify([list, filters.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(cursor: string): unknown {
  try {
    return parseJson(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
