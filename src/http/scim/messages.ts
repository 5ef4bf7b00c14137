import type { ErrorBody } from "../error-body.ts";
import { findAttribute, withoutSchema, type Attribute, type ResourceKind } from "./attributes.ts";

export const SCIM_PATH = "/scim/v2";

export function isScimPath(path: string): boolean {
  return path === SCIM_PATH || path.startsWith(`${SCIM_PATH}/`);
}

const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

export const MAX_RESULTS = 200;
const DEFAULT_RESULTS = 100;

export interface PageWindow {
  startIndex: number;
  count: number;
}

/** Raises too small values to the minimum (RFC 7644 section 3.4.2.4). */
export function readWindow(wanted: { startIndex?: number | undefined; count?: number | undefined }): PageWindow {
  return {
    startIndex: Math.max(1, wanted.startIndex ?? 1),
    count: Math.min(MAX_RESULTS, Math.max(0, wanted.count ?? DEFAULT_RESULTS)),
  };
}

export function listResponse(totalResults: number, { startIndex }: PageWindow, resources: readonly object[]) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** Error body (RFC 7644 section 3.12), which has no field for the request id. */
export function buildErrorMessage(error: ErrorBody & { status: number }) {
  const { status, message, request_id: requestId } = error;
  return {
    schemas: [ERROR_SCHEMA],
    ...("scimType" in error && { scimType: error.scimType }),
    detail: status === 500 ? `${message} Request ${requestId}.` : message,
    status: String(status),
  };
}

/** Attributes that a response includes or excludes (RFC 7644 section 3.9). */
export interface Projection {
  attributes: readonly string[];
  excludedAttributes: readonly string[];
}

export function project(resource: object, kind: ResourceKind, projection: Projection): object {
  const wanted = parsePaths(kind, projection.attributes);
  const unwanted = parsePaths(kind, projection.excludedAttributes);
  if (wanted.size === 0 && unwanted.size === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([key, value]: [string, unknown]) => {
      const attribute = findAttribute(kind.attributes, key);
      if (!attribute || attribute.returned === "always") return [[key, value]];
      if (wanted.size > 0) return includePart(wanted, [key, value], attribute);
      return excludePart(unwanted, [key, value], attribute);
    }),
  );
}

/** Lets callers skip the cost of an excluded attribute. */
export function isWanted(name: string, kind: ResourceKind, projection: Projection): boolean {
  return name in project({ [name]: [{ value: "" }] }, kind, projection);
}

type Entry = [string, unknown];

function includePart(wanted: ReadonlySet<string>, [key, value]: Entry, attribute: Attribute): Entry[] {
  const name = attribute.name.toLowerCase();
  if (wanted.has(name)) return [[key, value]];
  const isPart = (sub: string) => wanted.has(`${name}.${sub.toLowerCase()}`);
  return (attribute.subAttributes ?? []).some((sub) => isPart(sub.name)) ? [[key, filterFields(value, isPart)]] : [];
}

function excludePart(unwanted: ReadonlySet<string>, [key, value]: Entry, attribute: Attribute): Entry[] {
  const name = attribute.name.toLowerCase();
  if (unwanted.has(name)) return [];
  const stays = (sub: string) => !unwanted.has(`${name}.${sub.toLowerCase()}`);
  return attribute.subAttributes ? [[key, filterFields(value, stays)]] : [[key, value]];
}

function filterFields(value: unknown, keep: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => filterFields(one, keep));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => keep(name)));
}

function parsePaths(kind: ResourceKind, names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => withoutSchema(kind, name.trim()).toLowerCase()).filter(Boolean));
}
