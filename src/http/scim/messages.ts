import type { AppError } from "../../../core/errors.ts";
import { findAttribute, withoutSchema, type Attribute, type ResourceKind } from "./attributes.ts";

/** Where the interface is. */
export const PATH = "/scim/v2";

const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** Most resources of one page, and how many there are where the request does not say. */
export const MAX_RESULTS = 200;
const USUAL_RESULTS = 100;

/** Which page of a list is wanted. */
export interface Window {
  startIndex: number;
  count: number;
}

/** Bounds a wish as RFC 7644 section 3.4.2.4 says: what is too small is the smallest. */
export function windowOf(wanted: { startIndex?: number | undefined; count?: number | undefined }): Window {
  return {
    startIndex: Math.max(1, wanted.startIndex ?? 1),
    count: Math.min(MAX_RESULTS, Math.max(0, wanted.count ?? USUAL_RESULTS)),
  };
}

export function listResponse(totalResults: number, { startIndex }: Window, resources: readonly object[]) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** The error body of RFC 7644 section 3.12. */
export function errorMessage(error: AppError) {
  const scimType = error.details?.["scimType"];
  return {
    schemas: [ERROR_SCHEMA],
    ...(typeof scimType === "string" && { scimType }),
    detail: error.message,
    status: String(error.status),
  };
}

/** Which attributes of a resource are answered (RFC 7644 section 3.9). */
export interface Projection {
  attributes: readonly string[];
  excludedAttributes: readonly string[];
}

/** The resource with the attributes that were asked for, or without those that were not wanted. */
export function project(resource: object, kind: ResourceKind, projection: Projection): object {
  const wanted = pathsOf(kind, projection.attributes);
  const unwanted = pathsOf(kind, projection.excludedAttributes);
  if (wanted.size === 0 && unwanted.size === 0) return resource;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([key, value]: [string, unknown]) => {
      const attribute = findAttribute(kind.attributes, key);
      if (!attribute || attribute.returned === "always") return [[key, value]];
      if (wanted.size > 0) return partOf(wanted, [key, value], attribute);
      return withoutPart(unwanted, [key, value], attribute);
    }),
  );
}

/** True where an answer has this attribute, so that what it costs can be saved. */
export function isWanted(name: string, kind: ResourceKind, projection: Projection): boolean {
  return name in project({ [name]: [{ value: "" }] }, kind, projection);
}

type Entry = [string, unknown];

function partOf(wanted: ReadonlySet<string>, [key, value]: Entry, attribute: Attribute): Entry[] {
  const name = attribute.name.toLowerCase();
  if (wanted.has(name)) return [[key, value]];
  const isPart = (sub: string) => wanted.has(`${name}.${sub.toLowerCase()}`);
  return (attribute.subAttributes ?? []).some((sub) => isPart(sub.name)) ? [[key, filtered(value, isPart)]] : [];
}

function withoutPart(unwanted: ReadonlySet<string>, [key, value]: Entry, attribute: Attribute): Entry[] {
  const name = attribute.name.toLowerCase();
  if (unwanted.has(name)) return [];
  const stays = (sub: string) => !unwanted.has(`${name}.${sub.toLowerCase()}`);
  return attribute.subAttributes ? [[key, filtered(value, stays)]] : [[key, value]];
}

function filtered(value: unknown, keep: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => filtered(one, keep));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => keep(name)));
}

function pathsOf(kind: ResourceKind, names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => withoutSchema(kind, name.trim()).toLowerCase()).filter(Boolean));
}
