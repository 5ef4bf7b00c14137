import { z } from "zod";

type Schema = z.core.$ZodType;
/** Makes what a schema declares of a value that it allows; undefined where that is the value itself. */
type Pick = ((value: unknown) => unknown) | undefined;

const compiled = new WeakMap<Schema, Pick>();

/**
 * A value that a schema allows without the fields that the schema does not declare, and with the defaults that it does: what the schema
 * itself makes of it, without looking again at what the value is. Compiled once for each schema.
 */
export function declaredOf(schema: Schema, value: unknown): unknown {
  const pick = pickOf(schema);
  return pick ? pick(value) : value;
}

function pickOf(schema: Schema): Pick {
  if (!compiled.has(schema)) compiled.set(schema, compile(schema));
  return compiled.get(schema);
}

function compile(schema: Schema): Pick {
  // Zod's own union of all kinds of schemas is told apart by `type`.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return fieldsOf(def);
    case "array": {
      const pick = pickOf(def.element);
      return pick && ((value) => (value as unknown[]).map(pick));
    }
    case "record": {
      const pick = pickOf(def.valueType);
      return (
        pick &&
        ((value) => Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, pick(inner)])))
      );
    }
    case "nullable":
    case "optional":
    case "default":
    case "readonly":
    case "nonoptional": {
      const pick = pickOf(def.innerType);
      return pick && ((value) => (value === null || value === undefined ? value : pick(value)));
    }
    case "union":
      return def.options.some((option) => pickOf(option)) ? parsedBy(schema) : undefined;
    case "lazy": {
      // It can hold itself.
      return (value) => declaredOf(def.getter(), value);
    }
    case "pipe":
    case "transform":
    case "intersection":
    case "tuple":
    case "catch":
    case "prefault":
      return parsedBy(schema);
    default:
      return undefined;
  }
}

function fieldsOf({ shape, catchall }: z.core.$ZodObjectDef): Pick {
  const fields = Object.entries(shape).map(([name, field]) => {
    return { name, pick: pickOf(field), unset: defaultOf(field) };
  });
  const isOpen = catchall !== undefined && catchall._zod.def.type !== "never";
  return (value) => {
    // The schema allows an object alone.
    const given = value as Record<string, unknown>;
    const picked: Record<string, unknown> = isOpen ? { ...given } : {};
    for (const { name, pick, unset } of fields) {
      const inner = given[name];
      if (inner !== undefined) picked[name] = pick ? pick(inner) : inner;
      else if (unset) picked[name] = unset();
    }
    return picked;
  };
}

function defaultOf(schema: Schema): (() => unknown) | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "default" ? () => def.defaultValue : undefined;
}

/** Where only the schema can tell which of its parts a value is. */
function parsedBy(schema: Schema): Pick {
  return (value) => z.parse(schema, value);
}
