import { z } from "zod";
import { isReadEndpoint, type AnyEndpoint } from "../../../../tools/endpoint.ts";
import { AppError, invalidInput } from "../../../../core/shared/errors.ts";
import { DEFAULT_ROWS, MAX_ROWS, type ToolList } from "./tool-listing.ts";
import type { Selection } from "../../../reads/read-messages.ts";
import type { Tool } from "./tool-table.ts";
import { parseJson } from "../../../../core/shared/json.ts";
import { foldName } from "../../../../core/shared/names.ts";
import { findSourceByName } from "../../../../core/sources/sources.ts";

type Fields = Record<string, unknown>;

export const WHOLE_SELECTION: Selection = {
  columns: null,
  includedFields: [],
  skip: 0,
  limit: null,
  cursor: null,
  page: null,
};

/**
 * Splits arguments, under their REST names, into endpoint input and the selection applied to its
 * output.
 */
export function readArguments(tool: Tool, callArguments: Fields): { input: Fields; selection: Selection } {
  const given = normaliseEnums(tool.endpoint, { ...tool.endpoint.toolDefaults, ...callArguments });
  if (!isReadEndpoint(tool.endpoint)) return { input: given, selection: WHOLE_SELECTION };
  const { input, selection } = tool.list ? readList(tool, tool.list, given) : readObject(tool, given);
  return { input, selection: { ...selection, page: buildPageAddress(tool, input) } };
}

/** Console page for the call. */
function buildPageAddress({ page }: Tool, input: Fields): string | null {
  return page?.replaceAll(/:(\w+_id)\b/g, (_, key: string) => encodeURIComponent(String(input[key]))) ?? null;
}

/** Reads rows of a list, for any paging of the endpoint. */
function readList(tool: Tool, list: ToolList, given: Fields): { input: Fields; selection: Selection } {
  const { fields, ...input } = given;
  const columns = readColumns(tool, fields);
  const { cursor: start, skip } = readCursor(input["cursor"]);
  const limit = readLimit(input["limit"]);
  delete input["cursor"];
  delete input["limit"];
  const selection = { ...WHOLE_SELECTION, columns, skip, limit, cursor: start };
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

/** Reads an object; large ones are read in parts by cursor. */
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

function readColumns({ fields }: Tool, given: unknown): readonly string[] | null {
  if (given === undefined || given === null) return null;
  return parseNames(given, fields, "fields");
}

/** Validates a list of names, in canonical order. */
function parseNames(given: unknown, known: readonly string[], path: string): readonly string[] {
  const wanted = Array.isArray(given) ? new Set<unknown>(given) : new Set();
  const names = known.filter((name) => wanted.has(name));
  if (names.length > 0 && names.length === wanted.size) return names;
  throw invalidInput([{ path, message: `must be a list of these values: ${known.join(", ")}` }]);
}

/** By field: the members of its closed list, by folded text. */
type EnumMembers = ReadonlyMap<string, ReadonlyMap<string, string>>;

const enumMembersByEndpoint = new WeakMap<AnyEndpoint, EnumMembers>();

/**
 * Replaces informal values of closed lists: `chatgpt` for ASSISTANT_A, `tofu` for ToFu. Unknown
 * values stay and are rejected with the allowed ones.
 */
export function normaliseEnums(endpoint: AnyEndpoint, given: Record<string, unknown>): Record<string, unknown> {
  const meanings = enumMembersByEndpoint.get(endpoint) ?? collectEnumMembers(endpoint.input);
  enumMembersByEndpoint.set(endpoint, meanings);
  const read: Record<string, unknown> = { ...given };
  for (const [field, members] of meanings) {
    const member = (value: unknown) => (typeof value === "string" ? resolveMember(members, value) : value);
    const value = read[field];
    if (value !== undefined) read[field] = Array.isArray(value) ? value.map(member) : member(value);
  }
  return read;
}

/** Resolves a member in any case, or a source by name; unknown texts stay. */
function resolveMember(members: ReadonlyMap<string, string>, said: string): string {
  return members.get(foldName(said)) ?? members.get(foldName(findSourceByName(said) ?? "")) ?? said;
}

function collectEnumMembers(input: z.ZodObject): EnumMembers {
  return new Map(
    Object.entries(input.shape).flatMap(([field, schema]) => {
      const members = listEnumValues(schema);
      if (members.length === 0) return [];
      return [[field, new Map(members.map((member) => [foldName(member), member]))] as const];
    }),
  );
}

/** Members of a field's closed list, or of its elements. */
function listEnumValues(schema: unknown): string[] {
  if (schema instanceof z.ZodEnum) return schema.options.filter((option) => typeof option === "string");
  if (schema instanceof z.ZodArray) return listEnumValues(schema.element);
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? listEnumValues(schema.unwrap()) : [];
}
