import * as fc from "fast-check";
import { parameterOf } from "./ids.ts";

// Values generated from a JSON Schema: mostly valid, sometimes hostile.

export type JsonSchema = Record<string, unknown>;

/**
 * Owner of the object that an id names: the caller, another organization, none, or a malformed id.
 */
export type IdOwner = "own" | "theirs" | "nothing" | "broken";

/**
 * Placeholder for an id or secret that only the running service knows; resolved when the request is
 * sent.
 */
export class Ref {
  readonly of: string;
  readonly whose: IdOwner;
  readonly pick: number;

  constructor(of: string, whose: IdOwner, pick: number) {
    this.of = of;
    this.whose = whose;
    this.pick = pick;
  }
}

const whose = fc.oneof(
  { weight: 16, arbitrary: fc.constant<IdOwner>("own") },
  { weight: 2, arbitrary: fc.constant<IdOwner>("theirs") },
  { weight: 1, arbitrary: fc.constantFrom<IdOwner>("nothing", "broken") },
);

export const createRef = (of: string): fc.Arbitrary<Ref> =>
  fc.tuple(whose, fc.nat(1000)).map(([who, pick]) => new Ref(of, who, pick));

/** Fields that are no ids but are issued by the service. */
const SERVICE_VALUES = new Set(["api_key", "refresh_token", "cursor"]);

const HOSTILE_TEXTS = [
  "",
  " ",
  "\n",
  "\0",
  "a\0b",
  "\uD800",
  "x\uDFFF",
  "\u202Eabc",
  "\uFEFF",
  "\u0007",
  "\u0085",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "true",
  "-0",
  "1e309",
  "'; DROP TABLE brands; --",
  "%",
  "_",
  "%00",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "${x}",
  "{{7*7}}",

  "😀".repeat(60),
  "👩‍👩‍👧‍👦",
  "İstanbul",
  "ß",
  "ﬃ",
  "ﷺ",
  "٣",
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́",
  "a".repeat(256),
  "b".repeat(2001),
  "c".repeat(30_000),

  "2026-02-30T00:00:00Z",
  "0000-00-00",
  "9999-12-31T23:59:59Z",
  "#12345",
  "#GGGGGG",
  "00000000-0000-0000-0000-000000000000",
];

export const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: "binary", maxLength: 30 }));

export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      -0.5,
      1e21,
      5e-324,
      Number.MAX_SAFE_INTEGER + 2,
      [],
      [[]],
      {},
      [null],
      [{}],
      { a: {} },
    ),
  },
  // Parsed, because a literal would set the prototype instead of a field of that name.
  {
    weight: 1,
    arbitrary: fc.constant<unknown>(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":1}}')),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const WORDS = [
  "Kestrova",
  "espresso",
  "best machine",
  "Ünïcode ñame",
  "Kaffee & Co.",
  "office",
  "日本語",
  "a",
  "SEARCH",
];

/** Values that a schema allows; ids are references. `resolve` follows `$ref`. */
export function arbitraryValue(
  schema: JsonSchema,
  name: string,
  resolve: (ref: string) => JsonSchema,
): fc.Arbitrary<unknown> {
  const again = (inner: JsonSchema, key = name) => arbitraryValue(inner, key, resolve);
  if (typeof schema["$ref"] === "string") return again(resolve(schema["$ref"]));
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom<unknown>(...schema["enum"]);
  const options = (schema["anyOf"] ?? schema["oneOf"]) as JsonSchema[] | undefined;
  if (options) return fc.oneof(...options.map((option) => again(option)));
  if (Array.isArray(schema["type"]))
    return fc.oneof(...schema["type"].map((type: unknown) => again({ ...schema, type })));
  switch (schema["type"]) {
    case "object":
      return arbitraryObject(schema, resolve);
    case "array":
      return listOf(schema, again((schema["items"] ?? {}) as JsonSchema));
    case "string":
      return textOf(schema, name);
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return hostile;
  }
}

export function arbitraryObject(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
): fc.Arbitrary<Record<string, unknown>> {
  if (typeof schema["$ref"] === "string") return arbitraryObject(resolve(schema["$ref"]), resolve);
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema["required"] ?? []) as string[]);
  const fields = Object.fromEntries(properties.map(([key, inner]) => [key, arbitraryValue(inner, key, resolve)]));
  const all = fc.record(fields);
  // A request with many optional fields is seldom valid as a whole, so it gets about four of them.
  const optionals = Math.max(1, properties.length - required.size);
  const keptPercent = Math.min(40, 400 / optionals);
  const dice = fc.array(fc.nat(99), { minLength: properties.length, maxLength: properties.length });
  return fc
    .tuple(all, dice)
    .map(([given, dies]) =>
      Object.fromEntries(
        Object.entries(given).filter(
          ([key], index) =>
            required.has(key) || (dies[index] ?? 0) < (RARE_FIELDS.has(key) ? keptPercent / 2 : keptPercent),
        ),
      ),
    );
}

/** Fields whose generated values are seldom valid. */
const RARE_FIELDS = new Set(["cursor", "fields"]);

function listOf(schema: JsonSchema, item: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const minLength = Number(schema["minItems"] ?? 0);
  return fc.array(item, { minLength, maxLength: Math.max(minLength, Math.min(3, Number(schema["maxItems"] ?? 3))) });
}

function textOf(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  if (schema["format"] === "uuid" || /_ids?$/.test(name) || SERVICE_VALUES.has(name))
    return createRef(parameterOf(name));
  if (schema["format"] === "date-time") return instant;
  if (schema["format"] === "uri" || name === "website" || name === "url") return fc.webUrl({ validSchemes: ["https"] });
  if (schema["format"] === "email") return fc.nat(9999).map((number) => `person${number}@acme.example`);
  if (typeof schema["pattern"] === "string")
    return fc.stringMatching(new RegExp(schema["pattern"], "u"), { maxLength: 60 });
  const maxLength = Number(schema["maxLength"] ?? 1000);
  const usual = fc
    .tuple(fc.constantFrom(...WORDS), fc.nat(99_999))
    .map(([word, number]) => `${word} ${number}`.slice(0, maxLength));
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: hostileText });
}

const instant = fc
  .date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

function numberOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const min = Number(schema["minimum"] ?? -1000);
  const max = Math.min(Number(schema["maximum"] ?? 100_000), Number.MAX_SAFE_INTEGER);
  return schema["type"] === "integer"
    ? fc.oneof(fc.integer({ min, max }), fc.integer({ min, max: Math.min(max, min + 20) }))
    : fc.double({ min, max, noNaN: true });
}
