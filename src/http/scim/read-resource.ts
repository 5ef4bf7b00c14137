import { z } from "zod";
import { parseWithinBounds } from "../../../core/shared/bounded-parse.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";
import { MAX_COUNTED_ISSUES } from "../../../core/shared/request-bounds.ts";
import { ScimGroupInput, ScimUserInput } from "../../../core/identity/scim.ts";
import { findAttribute, withoutSchema, type Attribute, type ResourceKind } from "./attributes.ts";
import { scimError } from "./scim-errors.ts";

type Values = Record<string, unknown>;

/** Accepts keys in any case, strings for booleans, and a single value for a list. */
export function normaliseValue(value: unknown, attribute: Attribute): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.multiValued) {
    const one = { ...attribute, multiValued: false };
    return [value].flat().flatMap((item: unknown) => normaliseValue(item, one) ?? []);
  }
  if (attribute.type === "boolean" && typeof value === "string")
    return BOOLEAN_BY_TEXT.get(value.toLowerCase()) ?? value;
  if (attribute.type !== "complex") return value;
  // Some clients send only the value of a complex attribute.
  if (typeof value === "string" && findAttribute(attribute.subAttributes, "value")) return { value };
  return typeof value === "object" && !Array.isArray(value)
    ? normaliseObject(value, attribute.subAttributes ?? [])
    : value;
}

const BOOLEAN_BY_TEXT = new Map([
  ["true", true],
  ["false", false],
]);

function normaliseObject(object: object, attributes: readonly Attribute[]): Values {
  const known: Values = {};
  for (const [key, value] of Object.entries(object)) {
    const attribute = findAttribute(attributes, key);
    const inner = attribute && normaliseValue(value, attribute);
    if (attribute && inner !== undefined) known[attribute.name] = inner;
  }
  return known;
}

/** Reads the values of a resource; ignores read-only attributes. */
export function readResource(body: unknown, kind: ResourceKind): Values {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw scimError("invalidSyntax", "The body must be a JSON object.");
  }
  const unwrapped = Object.fromEntries(
    Object.entries(body).map(([key, value]: [string, unknown]) => [withoutSchema(kind, key), value]),
  );
  requireSchema(body, kind);
  return normaliseObject(
    unwrapped,
    kind.attributes.filter(({ mutability }) => mutability !== "readOnly"),
  );
}

function requireSchema(body: object, kind: ResourceKind): void {
  const named = Object.entries(body).find(([key]) => key.toLowerCase() === "schemas")?.[1] as unknown;
  const schemas = z
    .array(z.string())
    .max(20)
    .safeParse(named ?? [kind.schema]);
  const isNamed = schemas.data?.some((one) => one.toLowerCase() === kind.schema.toLowerCase());
  if (!isNamed) throw scimError("invalidSyntax", `The body must have the schema ${kind.schema}.`);
}

export function parseUser(values: Values): ScimUserInput {
  return validate(ScimUserInput, values);
}

export function parseGroup(values: Values): ScimGroupInput {
  return validate(ScimGroupInput, values);
}

function validate<T>(schema: z.ZodType<T>, values: Values): T {
  const parsed = parseWithinBounds(schema, values);
  if (parsed.success) return parsed.data;
  const { issues, count: found } = parsed;
  const wrong = [...new Set(issues.map(({ path }) => path.filter((at) => typeof at === "string").join(".")))];
  // These names come from the schema, not from the request.
  const named = wrong.slice(0, 5);
  const all = found === Infinity ? `more than ${formatInteger(MAX_COUNTED_ISSUES)}` : formatInteger(found);
  const more = found > named.length ? ` These are ${named.length} of ${all} invalid values.` : "";
  throw scimError("invalidValue", `Missing, too long or of the wrong type: ${named.join(", ")}.${more}`);
}
