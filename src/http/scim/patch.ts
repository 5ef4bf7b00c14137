import type { Filter } from "scim2-parse-filter";
import { z } from "zod";
import type { AppError } from "../../../core/shared/errors.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";
import { MAX_ATTRIBUTE_VALUES, MAX_PATCH_TERMS } from "../../../core/shared/request-bounds.ts";
import { findAttribute, withoutSchema, type Attribute, type ResourceKind } from "./attributes.ts";
import { readValueFilter, type ValueFilter } from "./filter.ts";
import { scimError } from "./scim-errors.ts";
import { normaliseValue } from "./read-resource.ts";

const PATCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const MAX_OPERATIONS = 1000;
const MAX_PATH_LENGTH = 500;

/** Names and operations are case-insensitive, because large clients send `Replace`. */
const PatchMessageSchema = z.object({
  schemas: z.array(z.string()).refine((all) => all.some((one) => one.toLowerCase() === PATCH_SCHEMA.toLowerCase())),
  Operations: z
    .array(
      z.object({
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(["add", "remove", "replace"])),
        path: z.string().max(MAX_PATH_LENGTH).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MAX_OPERATIONS),
});

export interface Operation {
  op: "add" | "remove" | "replace";
  attribute: Attribute;
  sub: Attribute | undefined;
  where: ValueFilter | undefined;
  value: unknown;
}

/** RFC 7644 section 3.5.2. Ignores unstored RFC 7643 attributes; throws invalidPath for others. */
export function readPatch(body: unknown, kind: ResourceKind): Operation[] {
  const message = PatchMessageSchema.safeParse(normaliseKeys(body));
  if (!message.success) {
    throw scimError(
      "invalidSyntax",
      `A PATCH must have the schema ${PATCH_SCHEMA} and 1 to ${MAX_OPERATIONS} Operations.`,
    );
  }
  let terms = 0;
  return message.data.Operations.flatMap(({ op, path, value }) => {
    if (path) {
      const operations = parseOperation({ op, path, value }, kind);
      for (const { where } of operations) terms += where?.termCount ?? 0;
      if (terms > MAX_PATCH_TERMS) throw createTooManyTermsError();
      return operations;
    }
    if (op === "remove") throw scimError("noTarget", "A remove must have a path.");
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw scimError("invalidValue", "Without a path, the value must be an object of attributes.");
    }
    return Object.entries(value).flatMap(([key, inner]) => splitOperation({ op, path: key, value: inner }, kind));
  });
}

function createTooManyTermsError(): AppError {
  return scimError(
    "tooMany",
    `The filters of a PATCH can have at most ${formatInteger(MAX_PATCH_TERMS)} comparisons in all.`,
  );
}

/** Splits an operation without a path by key; a key that is a schema contains attributes. */
function splitOperation(given: { op: Operation["op"]; path: string; value: unknown }, kind: ResourceKind): Operation[] {
  const { op, path, value } = given;
  // Ignores read-only attributes, so that clients can send a resource back with a change.
  if (findAttribute(kind.attributes, path)?.mutability === "readOnly") return [];
  if (path.toLowerCase() !== kind.schema.toLowerCase()) return parseOperation(given, kind);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => parseOperation({ op, path: key, value: inner }, kind));
}

const ATTRIBUTE_PATH_PATTERN = /^([a-z][\w$-]*)(?:\[(.+)\])?(?:\.([a-z$][\w$-]*))?$/i;

function parseOperation(given: { op: Operation["op"]; path: string; value: unknown }, kind: ResourceKind): Operation[] {
  const { op } = given;
  const path = withoutSchema(kind, given.path);
  if (NOT_STORED_PATTERN.test(path)) return [];
  const [, name = "", filter, subName] = ATTRIBUTE_PATH_PATTERN.exec(path) ?? [];
  const attribute = findAttribute(kind.attributes, name);
  const sub = subName === undefined ? undefined : findAttribute(attribute?.subAttributes, subName);
  if (!attribute || (subName !== undefined && !sub) || (filter !== undefined && !attribute.multiValued)) {
    throw scimError("invalidPath", "The path is an unknown attribute. GET /Schemas lists the attributes.");
  }
  if (attribute.name === "schemas" && op !== "remove") return [];
  if (attribute.mutability === "readOnly" || sub?.mutability === "readOnly") {
    throw scimError("mutability", "This attribute is read-only.");
  }
  const where = filter === undefined ? undefined : readValueFilter(filter, attribute);
  const isWhole = where === undefined && sub === undefined;
  const value = normaliseValue(given.value, sub ?? { ...attribute, multiValued: attribute.multiValued && isWhole });
  // Assigning an empty value removes the attribute (RFC 7643 section 2.5).
  return [{ op: value === undefined && op === "replace" ? "remove" : op, attribute, sub, where, value }];
}

/** Attributes of RFC 7643 sections 4.1 and 4.3 that this service does not store. */
const NOT_STORED_PATTERN =
  /^(urn:ietf:params:scim:schemas:extension:|(nickName|profileUrl|password|phoneNumbers|ims|photos|addresses|entitlements|roles|x509Certificates)(?=$|[.[]))/i;

function normaliseNames(object: object, names: readonly string[]): Values {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]: [string, unknown]) => [
      names.find((name) => name.toLowerCase() === key.toLowerCase()) ?? key,
      value,
    ]),
  );
}

function normaliseKeys(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const { schemas, Operations } = normaliseNames(body, ["schemas", "Operations"]);
  if (!Array.isArray(Operations)) return { schemas, Operations };
  return {
    schemas,
    Operations: Operations.map((one: unknown) =>
      typeof one === "object" && one !== null ? normaliseNames(one, ["op", "path", "value"]) : one,
    ),
  };
}

type Values = Record<string, unknown>;

/** Returns the changed resource; does not modify the input. */
export function applyPatch(resource: object, operations: readonly Operation[]): Values {
  const changed: Values = structuredClone({ ...resource });
  for (const operation of operations) applyOperation(changed, operation);
  return changed;
}

function applyOperation(resource: Values, operation: Operation): void {
  const { op, attribute, sub, where, value } = operation;
  const { name } = attribute;
  if (attribute.multiValued) {
    const list = (resource[name] ?? []) as Values[];
    // Bounded because the loop compares all pairs of values.
    if (list.length + (Array.isArray(value) ? value.length : 0) > MAX_ATTRIBUTE_VALUES) {
      throw scimError("tooMany", `An attribute can have at most ${MAX_ATTRIBUTE_VALUES} values.`);
    }
    resource[name] = where || sub ? changeMatching(list, operation) : changeList(list, operation);
    return;
  }
  if (sub) {
    const inner = (resource[name] ?? {}) as Values;
    resource[name] = replaceValue(inner, sub.name, op === "remove" ? undefined : value);
  } else if (op === "remove") delete resource[name];
  // Absent sub-attributes stay unchanged (RFC 7644 section 3.5.2.3).
  else if (attribute.type === "complex") resource[name] = { ...(resource[name] as Values), ...(value as Values) };
  else resource[name] = value;
}

function changeList(list: Values[], { op, value }: Operation): Values[] | undefined {
  const given = (value ?? []) as Values[];
  if (op === "replace") return given;
  // Some clients list the values to remove instead of a filter.
  if (op === "remove") return value === undefined ? undefined : list.filter((one) => !includesValue(given, one));
  return limitToOnePrimary([...list, ...given.filter((one) => !includesValue(list, one))], given);
}

function includesValue(list: readonly Values[], one: Values): boolean {
  return list.some(
    (other) => other["value"] === one["value"] && (other["type"] ?? one["type"]) === (one["type"] ?? other["type"]),
  );
}

function changeMatching(list: Values[], operation: Operation): Values[] | undefined {
  const { op, sub, where, value } = operation;
  const isMeant = where?.isMatch ?? (() => true);
  const change = (one: Values): Values | undefined => {
    if (sub) return replaceValue(one, sub.name, op === "remove" ? undefined : value);
    return op === "remove" ? undefined : { ...one, ...(value as Values) };
  };
  if (list.some((one) => isMeant(one))) {
    const touched = new Set<Values>();
    const next = list.flatMap((one) => {
      if (!isMeant(one)) return [one];
      const after = change(one);
      if (after) touched.add(after);
      return after && Object.keys(after).length > 0 ? [after] : [];
    });
    return limitToOnePrimary(next, [...touched]);
  }
  if (op === "remove") return list;
  const made = op === "add" && where ? buildValueFromFilter(where.tree) : undefined;
  if (!made) throw scimError("noTarget", "No value matches the path's filter.");
  const added = change(made) ?? made;
  return limitToOnePrimary([...list, added], [added]);
}

function buildValueFromFilter(tree: Filter): Values | undefined {
  if (tree.op === "eq" && tree.compValue !== null) return { [tree.attrPath]: tree.compValue };
  if (tree.op !== "and") return undefined;
  const parts = tree.filters.map(buildValueFromFilter);
  return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined;
}

function limitToOnePrimary(list: Values[], newest: readonly Values[]): Values[] {
  const primary = newest.findLast((one) => one["primary"] === true);
  return primary
    ? list.map((one) => (one === primary || one["primary"] !== true ? one : { ...one, primary: false }))
    : list;
}

function replaceValue(of: Values, key: string, value: unknown): Values {
  const { [key]: _before, ...rest } = of;
  return value === undefined ? rest : { ...rest, [key]: value };
}
