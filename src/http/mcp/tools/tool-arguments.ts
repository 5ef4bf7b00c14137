import { z } from "zod";
import { isReadEndpoint, type AnyEndpoint } from "../../../../tools/endpoint.ts";
import { AppError, invalidInput } from "../../../../core/shared/errors.ts";
import { DEFAULT_ROWS, FULL_BASIS, MAX_ROWS, type ToolList } from "./tool-listing.ts";
import type { Selection } from "../../../reads/read-messages.ts";
import type { Tool } from "./tool-table.ts";
import { parseJson } from "../../../../core/shared/json.ts";
import { getToolInput } from "../../../call/call-targets.ts";
import { hasDates } from "../../../../tools/metric-reads/selection/date-window.ts";
import { readFields } from "./lenient-arguments.ts";
import { findSynonym } from "./synonyms.ts";
import { toRestArguments } from "./tool-parameter-names.ts";

type Fields = Record<string, unknown>;

export const WHOLE_SELECTION: Selection = {
  columns: null,
  includedFields: [],
  hasFullBasis: true,
  skip: 0,
  limit: null,
  cursor: null,
  page: null,
  filled: [],
};

const TOOL_PARAMETERS = {
  limit: z.int().optional(),
  cursor: z.string().optional(),
  fields: z.array(z.string()).optional(),
  include: z.array(z.string()).optional(),
  basis: z.enum([FULL_BASIS]).optional(),
};

/** Arguments of a tool under the endpoint's names, as its schemas want them. */
export function normaliseArguments(endpoint: AnyEndpoint, given: Fields): Fields {
  return readFields({ ...TOOL_PARAMETERS, ...getToolInput(endpoint).shape }, toRestArguments(endpoint, given));
}

/**
 * Splits arguments, under their REST names, into endpoint input and the selection applied to its
 * output.
 */
export function readArguments(
  tool: Tool,
  callArguments: Fields,
  filled: readonly string[] = [],
): { input: Fields; selection: Selection } {
  const isDated = hasDates(callArguments);
  const defaults = Object.entries(tool.endpoint.toolDefaults ?? {}).filter(([key]) => !isDated || key !== "collect_id");
  const given = { ...Object.fromEntries(defaults), ...callArguments };
  if (!isReadEndpoint(tool.endpoint)) return { input: given, selection: { ...WHOLE_SELECTION, filled } };
  const { input, selection } = tool.list ? readList(tool, tool.list, given) : readObject(tool, given);
  return { input, selection: { ...selection, filled, page: buildPageAddress(tool, input) } };
}

function buildPageAddress({ page }: Tool, input: Fields): string | null {
  return page?.replaceAll(/:(\w+_id)\b/g, (_, key: string) => encodeURIComponent(String(input[key]))) ?? null;
}

function readList(tool: Tool, list: ToolList, given: Fields): { input: Fields; selection: Selection } {
  const { fields, basis, ...input } = given;
  const columns = readColumns(tool, fields);
  const { cursor: start, skip } = readCursor(input["cursor"]);
  const limit = readLimit(input["limit"]);
  delete input["cursor"];
  delete input["limit"];
  const selection = { ...WHOLE_SELECTION, columns, skip, limit, cursor: start, hasFullBasis: isFullBasis(basis) };
  if (list.pagingMode === "cursor") {
    if (start !== null) input["cursor"] = start;
    input["limit"] = Math.min(MAX_ROWS, limit + skip);
    return { input, selection };
  }
  if (start !== null) throw createCursorError();
  if (list.pagingMode === "page") {
    const paged = ["page_number", "rows_per_page"].filter((key) => key in input);
    if (paged.length > 0) throw invalidInput(paged.map((path) => ({ path, message: "use limit and cursor" })));
    input["page_number"] = Math.floor(skip / MAX_ROWS) + 1;
    input["rows_per_page"] = MAX_ROWS;
  }
  return { input, selection };
}

function readObject(tool: Tool, given: Fields): { input: Fields; selection: Selection } {
  const { cursor = null, fields, ...rest } = given;
  if (cursor !== null && typeof cursor !== "string") {
    throw invalidInput([{ path: "cursor", message: "must be a next_cursor" }]);
  }
  const { onDemandFields: known = [] } = tool.endpoint;
  const selection = { ...WHOLE_SELECTION, columns: readColumns(tool, fields), cursor };
  if (known.length === 0) return { input: rest, selection };
  const { include, ...input } = rest;
  return {
    input,
    selection: { ...selection, includedFields: include === undefined ? [] : parseNames(include, known, "include") },
  };
}

/** Cursor within a page: the page's cursor and the number of rows returned. */
export function createOffsetCursor(selection: Selection, given: number): string {
  return OFFSET_MARK + Buffer.from(JSON.stringify([selection.cursor, selection.skip + given])).toString("base64url");
}

const OFFSET_MARK = "~";
const OffsetCursorSchema = z.tuple([z.string().nullable(), z.int().min(1).max(1_000_000)]);

function readCursor(given: unknown): { cursor: string | null; skip: number } {
  if (given === undefined || given === null) return { cursor: null, skip: 0 };
  if (typeof given !== "string") throw createCursorError();
  if (!given.startsWith(OFFSET_MARK)) return { cursor: given, skip: 0 };
  try {
    const [cursor, skip] = OffsetCursorSchema.parse(
      parseJson(Buffer.from(given.slice(1), "base64url").toString("utf8")),
    );
    return { cursor, skip };
  } catch (error) {
    throw createCursorError(error);
  }
}

function createCursorError(cause?: unknown): AppError {
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

function isFullBasis(given: unknown): boolean {
  if (given === undefined || given === FULL_BASIS) return given === FULL_BASIS;
  throw invalidInput([{ path: "basis", message: `must be ${FULL_BASIS}`, allowed: [FULL_BASIS], allowed_count: 1 }]);
}

function readColumns({ fields }: Tool, given: unknown): readonly string[] | null {
  if (given === undefined || given === null) return null;
  return parseNames(given, fields, "fields");
}

function parseNames(given: unknown, known: readonly string[], path: string): readonly string[] {
  const isKnown = (name: string) => known.includes(name);
  const listed: unknown[] = Array.isArray(given) ? given : [];
  const wanted = new Set(listed.map((name) => findSynonym(String(name), isKnown) ?? name));
  const names = known.filter((name) => wanted.has(name));
  if (names.length > 0 && names.length === wanted.size) return names;
  throw invalidInput([{ path, message: `must be a list of these values: ${known.join(", ")}` }]);
}
