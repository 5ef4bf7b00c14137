import { z } from "zod";
import { GROUP_SCHEMA, ScimGroup, ScimUser, USER_SCHEMA } from "../../../core/identity/scim.ts";

/** Attribute of a SCIM schema (RFC 7643 section 7). */
export interface Attribute {
  name: string;
  type: "string" | "boolean" | "dateTime" | "reference" | "complex";
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: "readWrite" | "readOnly" | "immutable";
  returned: "default" | "always";
  uniqueness: "none" | "server";
  subAttributes?: Attribute[];
  referenceTypes?: string[];
}

export interface ResourceKind {
  name: "User" | "Group";
  schema: string;
  path: "/Users" | "/Groups";
  attributes: readonly Attribute[];
  description: string;
}

type Schema = z.core.JSONSchema.BaseSchema;

function listAttributes(schema: Schema): Attribute[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => toAttribute(name, toSchema(field)));
}

function toAttribute(name: string, field: Schema): Attribute {
  const traits = (field["x-scim"] ?? {}) as Partial<Attribute>;
  const items = field.type === "array" && !Array.isArray(field.items) ? toSchema(field.items) : field;
  const type = traits.type ?? (items.type === "object" ? "complex" : items.type === "boolean" ? "boolean" : "string");
  return {
    name,
    type,
    multiValued: field.type === "array",
    description: field.description ?? "",
    required: traits.required ?? false,
    caseExact: traits.caseExact ?? false,
    mutability: traits.mutability ?? "readWrite",
    returned: traits.returned ?? "default",
    uniqueness: traits.uniqueness ?? "none",
    ...(type === "complex" && { subAttributes: listAttributes(items) }),
    ...(type === "reference" && { referenceTypes: name === "$ref" ? ["User", "Group"] : ["uri"] }),
  };
}

function toSchema(part: z.core.JSONSchema._JSONSchema | undefined): Schema {
  return typeof part === "object" ? part : {};
}

export const USER_RESOURCE: ResourceKind = {
  name: "User",
  schema: USER_SCHEMA,
  path: "/Users",
  attributes: listAttributes(z.toJSONSchema(ScimUser, { io: "input" })),
  description: "A member of the organization.",
};

export const GROUP_RESOURCE: ResourceKind = {
  name: "Group",
  schema: GROUP_SCHEMA,
  path: "/Groups",
  attributes: listAttributes(z.toJSONSchema(ScimGroup, { io: "input" })),
  description: "Members who share a role.",
};

/** Finds an attribute by its name in any case (RFC 7643 section 2.1). */
export function findAttribute(among: readonly Attribute[] | undefined, name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return among?.find((attribute) => attribute.name.toLowerCase() === wanted);
}

/** Parses `name.givenName`, with or without a schema prefix; undefined for an invalid path. */
export function findPath(kind: ResourceKind, path: string): { attribute: Attribute; sub?: Attribute } | undefined {
  const [first = "", second, ...more] = withoutSchema(kind, path).split(".");
  const attribute = findAttribute(kind.attributes, first);
  if (!attribute || more.length > 0) return undefined;
  if (second === undefined) return { attribute };
  const sub = findAttribute(attribute.subAttributes, second);
  return sub && { attribute, sub };
}

/** Removes the schema prefix (RFC 7644 section 3.10). */
export function withoutSchema(kind: ResourceKind, path: string): string {
  const prefix = `${kind.schema}:`;
  return path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : path;
}
