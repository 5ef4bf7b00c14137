import * as fc from "fast-check";
import { z } from "zod";
import { ImportLine } from "../../core/reading/import-line.ts";
import { endpoints } from "../../tools/index.ts";
import { toToolName, type AnyEndpoint } from "../../tools/endpoint.ts";
import { toToolParameterName } from "../../src/http/mcp/tools/tool-parameter-names.ts";
import { docxOf, GIF, MP4, pdfOf, PNG, WEBM } from "../assets/files.ts";
import { hostile, hostileText, arbitraryObject, arbitraryValue, type JsonSchema, type IdOwner } from "./arbitrary.ts";
import { parametersOf } from "./call.ts";
import { document, tools } from "./declared.ts";

// A fuzzed request before the running service's ids are filled in.

/** A defect that is added to a valid request. */
export type Damage =
  | { kind: "none" | "broken-json" | "no-object" | "method" | "percent" | "twice" | "not-utf8" | "encoding" }
  | { kind: "drop"; at: number }
  | { kind: "extra"; key: string; value: unknown }
  | { kind: "replace"; at: number; value: unknown }
  | { kind: "type"; type: string }
  | { kind: "key"; key: string };

export type CallerRole = "owner" | "editor" | "viewer" | "guest" | "rival" | "nobody" | "forged";

/** A part of a multipart body that is a file. */
export interface SentFile {
  bytes: Uint8Array;
  name: string;
  field: string;
  /** Sent this many times. */
  times: number;
}

export interface Plan {
  endpoint: AnyEndpoint;
  door: "rest" | "tool";
  who: CallerRole;
  /**
   * Index of the object that the path names, and one of its parameters replaced by another's id.
   */
  chain: { pick: number; swap: { at: number; whose: IdOwner } | null };
  /** False for a tool call that names its target only by ids; names together with ids are rejected. */
  givesNames: boolean;
  fields: Record<string, unknown>;
  /** True for fields that are known to succeed, instead of generated ones. */
  example: boolean;
  encoding: "json" | "form" | "multipart" | "file" | "other";
  /** The file that is sent if the encoding is "file". */
  file: SentFile;
  damage: Damage;
  /** A small number, so that keys are used again. */
  idempotencyKey: number | null;
}

const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "id",
  "organization_id",
  "workspace_id",
  "extra",
  "",
  "a.b",
];
const TYPES = [
  "text/plain",
  "application/xml",
  "application/json; charset=utf-16",
  "multipart/form-data",
  "nonsense",
  "*/*",
];
const UNDONE = ["broken-json", "no-object", "method", "percent", "twice", "not-utf8", "encoding"] as const;

const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 36, arbitrary: fc.constant<Damage>({ kind: "none" }) },
  { weight: 3, arbitrary: fc.nat(9).map((at): Damage => ({ kind: "drop", at })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...KEYS), hostile)
      .map(([key, value]): Damage => ({ kind: "extra", key, value })),
  },
  {
    weight: 12,
    arbitrary: fc.tuple(fc.nat(30), hostile).map(([at, value]): Damage => ({ kind: "replace", at, value })),
  },
  { weight: 3, arbitrary: fc.constantFrom(...UNDONE).map((kind): Damage => ({ kind })) },
  { weight: 3, arbitrary: fc.constantFrom(...TYPES).map((type): Damage => ({ kind: "type", type })) },
  { weight: 1, arbitrary: hostileText.map((key): Damage => ({ kind: "key", key })) },
);

const who: fc.Arbitrary<CallerRole> = fc.oneof(
  { weight: 30, arbitrary: fc.constant<CallerRole>("owner") },
  { weight: 4, arbitrary: fc.constant<CallerRole>("editor") },
  { weight: 5, arbitrary: fc.constantFrom<CallerRole>("viewer", "guest", "rival", "nobody", "forged") },
);

const chain = fc.record({
  pick: fc.nat(1000),
  swap: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({ at: fc.nat(5), whose: fc.constantFrom<IdOwner>("theirs", "nothing", "broken") }),
    },
  ),
});

const encoding = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Plan["encoding"]>("json") },
  { weight: 3, arbitrary: fc.constantFrom<Plan["encoding"]>("form", "multipart", "file", "other") },
);

const FILES = [
  PNG,
  GIF,
  MP4,
  WEBM,
  pdfOf(["Kestrova makes espresso machines."]),
  docxOf(["# Kestrova", "Quiet, and small."]),
  Buffer.from("# Kestrova\n\nQuiet, and small."),
  Buffer.from("<!doctype html><title>Kestrova</title><p>Quiet.</p><script>alert(1)</script>"),
];

/** Real files, files that end in the middle or have a wrong byte, and bytes that are no file. */
const fileBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Uint8Array>(...FILES) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom<Uint8Array>(...FILES), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([whole, part]) => whole.slice(0, Math.floor(whole.length * part))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom<Uint8Array>(...FILES), fc.nat(), fc.nat(255))
      .map(([whole, at, byte]) => whole.with(at % whole.length, byte)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
);

const fileNames = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("page.md", "page.pdf", "../../page.html", "C:\\page.docx", "page") },
  { weight: 1, arbitrary: hostileText },
);

function fileFor({ file }: AnyEndpoint): fc.Arbitrary<SentFile> {
  const field = fc.oneof(
    { weight: 12, arbitrary: fc.constant(file ?? "file") },
    { weight: 1, arbitrary: fc.constantFrom("", "text", "other", "__proto__") },
  );
  const times = fc.oneof({ weight: 12, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constantFrom(0, 2) });
  return fc.record({ bytes: fileBytes, name: fileNames, field, times });
}

const oneInFour = fc.nat(3).map((die) => die === 0);

const idempotencyKey = fc.option(fc.nat(400), { freq: 6 });

function planOf(endpoint: AnyEndpoint, door: Plan["door"], fields: fc.Arbitrary<Plan["fields"]>): fc.Arbitrary<Plan> {
  return fc.record({
    endpoint: fc.constant(endpoint),
    door: fc.constant(door),
    who,
    chain,
    givesNames: oneInFour,
    fields,
    example: oneInFour,
    encoding: endpoint.file === undefined ? encoding : fc.oneof(encoding, fc.constant<Plan["encoding"]>("file")),
    file: fileFor(endpoint),
    damage,
    idempotencyKey,
  });
}

/** Fields of the query or the body, as the OpenAPI document describes them. */
export function restFields(endpoint: AnyEndpoint): fc.Arbitrary<Record<string, unknown>> {
  const { parameters = [], requestBody } = operationOf(endpoint);
  const content = requestBody?.content["application/json"]?.schema;
  if (content) return arbitraryObject(content, resolve);
  if (endpoint.body === "lines") return lines;
  const query = parameters.filter((parameter) => parameter.in === "query");
  return arbitraryObject(
    {
      properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
      required: query.filter(({ required }) => required).map(({ name }) => name),
    },
    resolve,
  );
}

/** Lines of recorded answers, as their own schema describes them. */
const lines = fc.record({
  lines: fc.array(
    arbitraryObject(z.toJSONSchema(ImportLine, { io: "input", unrepresentable: "any" }) as JsonSchema, resolve),
    {
      maxLength: 4,
    },
  ),
});

/**
 * A tool's arguments, as its input schema describes them, without the ids of its endpoint's path.
 * Arguments that take a name or an id get an id, or a text that names nothing.
 */
function toolFields(endpoint: AnyEndpoint): fc.Arbitrary<Record<string, unknown>> {
  const listed = tools.tools.find(({ name }) => name === toToolName(endpoint))?.listed.inputSchema as JsonSchema;
  const inPath = new Set(parametersOf(endpoint));
  const whole = z.toJSONSchema(endpoint.input, { io: "input", unrepresentable: "any", reused: "inline" }) as JsonSchema;
  // The list leaves out bounds to be light; the endpoint's own schema has them.
  const known = { ...(listed["properties"] as Record<string, JsonSchema>), ...shared(whole, listed) };
  const properties = Object.fromEntries(Object.entries(known).filter(([key]) => !inPath.has(key)));
  const ids = Object.entries((whole["properties"] ?? {}) as Record<string, JsonSchema>)
    .map(([key, schema]) => ({ key, name: toToolParameterName(key), schema }))
    .filter(({ key, name }) => /_ids?$/.test(key) && name !== key && name in properties);
  const byName = arbitraryObject({ ...listed, properties }, resolve);
  const byId = fc.record(
    Object.fromEntries(ids.map(({ key, name, schema }) => [name, arbitraryValue(schema, key, resolve)])),
  );
  return fc.tuple(byName, byId, fc.nat(9)).map(([fields, named, die]) => {
    if (die === 0) return fields;
    return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, key in named ? named[key] : value]));
  });
}

function shared(whole: JsonSchema, listed: JsonSchema): Record<string, JsonSchema> {
  const names = new Set(Object.keys(listed["properties"] ?? {}));
  const properties = Object.entries((whole["properties"] ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(properties.filter(([key]) => names.has(key)));
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema } | undefined> };
}

function operationOf({ path, method }: AnyEndpoint): Operation {
  const paths = document["paths"] as Record<string, Record<string, Operation>>;
  const found = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  if (!found) throw new Error(`The OpenAPI document does not describe ${method} ${path}.`);
  return found;
}

function resolve(ref: string): JsonSchema {
  let found: unknown = document;
  for (const step of ref.slice(2).split("/")) found = (found as JsonSchema)[step];
  return found as JsonSchema;
}

/** Revokes the key that the run itself uses. */
export const CALLER_ENDING_ENDPOINTS: ReadonlySet<string> = new Set(["signOutEverywhere"]);

/** A random request of any endpoint, over REST or as a tool call. */
export const anyPlan: fc.Arbitrary<Plan> = fc.oneof(
  ...endpoints
    .filter(({ name }) => !CALLER_ENDING_ENDPOINTS.has(name))
    .map((endpoint) => planOf(endpoint, "rest", restFields(endpoint))),
  ...endpoints
    .filter(({ notATool }) => notATool === undefined)
    .map((endpoint) => planOf(endpoint, "tool", toolFields(endpoint))),
);
