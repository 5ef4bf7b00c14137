import { z } from "zod";
import { reads } from "../../../../tools/endpoint.ts";
import { AppError, invalidInput } from "../../../../core/errors.ts";
import { closedValues } from "./closed-values.ts";
import { DEFAULT_ROWS, MAX_ROWS, type ToolList } from "./tool-listing.ts";
import type { Tool } from "./tool-table.ts";
import { parseJson } from "../../../../core/json.ts";

type Fields = Record<string, unknown>;

/** Which part of an answer a call wants. */
export interface Selection {
  /** Null for all of them. */
  columns: readonly string[] | null;
  /** Rows at the front that an earlier result gave already. */
  skip: number;
  /** Null where the endpoint itself decides. */
  limit: number | null;
  /** The endpoint's own cursor of this page; of an object, where to go on. */
  cursor: string | null;
}

export const WHOLE: Selection = { columns: null, skip: 0, limit: null, cursor: null };

/** Splits a tool's arguments into what its endpoint takes and what is done here to its answer. */
export function readArguments(tool: Tool, said: Fields): { input: Fields; selection: Selection } {
  const given = closedValues(tool.endpoint, said);
  if (!tool.list) return reads(tool.endpoint) ? readPart(given) : { input: given, selection: WHOLE };
  const { fields, ...input } = given;
  const columns = readColumns(tool.list, fields);
  if (tool.list.paging === "page") {
    return {
      input: { ...input, rows_per_page: input["rows_per_page"] ?? DEFAULT_ROWS },
      selection: { ...WHOLE, columns },
    };
  }
  const { cursor: start, skip } = readCursor(input["cursor"]);
  const limit = readLimit(input["limit"]);
  delete input["cursor"];
  delete input["limit"];
  if (tool.list.paging === "cursor") {
    if (start !== null) input["cursor"] = start;
    input["limit"] = Math.min(MAX_ROWS, limit + skip);
  } else if (start !== null) throw wrongCursor();
  return { input, selection: { columns, skip, limit, cursor: start } };
}

/** An object too heavy for one result is read in parts, by the cursor of the part before. */
function readPart({ cursor, ...input }: Fields): { input: Fields; selection: Selection } {
  if (cursor === undefined || cursor === null) return { input, selection: WHOLE };
  if (typeof cursor !== "string") throw invalidInput([{ path: "cursor", message: "must be a next_cursor" }]);
  return { input, selection: { ...WHOLE, cursor } };
}

/** A cursor for the rows of a page that did not fit: the page's own cursor, and how many of its rows were given. */
export function nextOffsetCursor(selection: Selection, given: number): string {
  return OFFSET_MARK + Buffer.from(JSON.stringify([selection.cursor, selection.skip + given])).toString("base64url");
}

const OFFSET_MARK = "~";
const OffsetCursor = z.tuple([z.string().nullable(), z.int().min(1).max(1_000_000)]);

function readCursor(given: unknown): { cursor: string | null; skip: number } {
  if (given === undefined || given === null) return { cursor: null, skip: 0 };
  if (typeof given !== "string") throw wrongCursor();
  if (!given.startsWith(OFFSET_MARK)) return { cursor: given, skip: 0 };
  try {
    const [cursor, skip] = OffsetCursor.parse(parseJson(Buffer.from(given.slice(1), "base64url").toString("utf8")));
    return { cursor, skip };
  } catch (error) {
    throw wrongCursor(error);
  }
}

function wrongCursor(cause?: unknown): AppError {
  return new AppError("VALIDATION_FAILED", "The cursor does not belong to this list with these filters.", {
    fields: [{ path: "cursor", message: "use next_cursor of the same list, with the same filters" }],
    cause,
  });
}

function readLimit(given: unknown): number {
  if (given === undefined || given === null) return DEFAULT_ROWS;
  if (typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= MAX_ROWS) return given;
  throw invalidInput([{ path: "limit", message: `must be a whole number from 1 to ${MAX_ROWS}` }]);
}

function readColumns(list: ToolList, given: unknown): readonly string[] | null {
  if (given === undefined || given === null) return null;
  const wanted = Array.isArray(given) ? new Set<unknown>(given) : new Set();
  const columns = list.columns.filter((column) => wanted.has(column));
  if (columns.length > 0 && columns.length === wanted.size) return columns;
  throw invalidInput([{ path: "fields", message: `must be a list of these columns: ${list.columns.join(", ")}` }]);
}
