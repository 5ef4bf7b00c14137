import { z } from "zod";
import { BODY_LIMIT_BYTES, parseJsonBody, readText, type BodyText, type Inbound } from "../body.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { readWindow } from "./messages.ts";
import { scimError } from "./scim-errors.ts";
import type { Query } from "./scim.ts";

const SEARCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
const MAX_NAMES = 100;

export function readQuery(query: URLSearchParams): Query {
  const names = (key: string) => (query.get(key) ?? "").split(",").filter(Boolean).slice(0, MAX_NAMES);
  return {
    filter: query.get("filter") ?? undefined,
    pageWindow: readWindow({ startIndex: parseNumber(query, "startIndex"), count: parseNumber(query, "count") }),
    projection: { attributes: names("attributes"), excludedAttributes: names("excludedAttributes") },
  };
}

function parseNumber(query: URLSearchParams, key: string): number | undefined {
  const text = query.get(key);
  if (text === null || text === "") return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw scimError("invalidValue", `${key} must be a whole number.`);
  return Number(text);
}

const names = z.array(z.string().max(200)).max(MAX_NAMES).default([]);
const SearchRequestSchema = z.object({
  schemas: z.array(z.string()).refine((all) => all.includes(SEARCH_SCHEMA)),
  filter: z.string().optional(),
  startIndex: z.int().optional(),
  count: z.int().optional(),
  attributes: names,
  excludedAttributes: names,
});

export function readSearch(body: unknown): Query {
  const parsed = SearchRequestSchema.safeParse(body);
  if (!parsed.success) throw scimError("invalidSyntax", `The body must have the schema ${SEARCH_SCHEMA}.`);
  const { filter, attributes, excludedAttributes, ...wanted } = parsed.data;
  return { filter, pageWindow: readWindow(wanted), projection: { attributes, excludedAttributes } };
}

export async function readBody(inbound: Inbound): Promise<BodyText> {
  const type = (inbound.request.headers["content-type"] ?? "application/scim+json")
    .split(";", 1)[0]
    ?.trim()
    .toLowerCase();
  if (type !== "application/scim+json" && type !== "application/json") {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", "Send application/scim+json.");
  }
  return readText(inbound, BODY_LIMIT_BYTES);
}

export function parseJson(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    throw scimError("invalidSyntax", (error as AppError).message, error);
  }
}
