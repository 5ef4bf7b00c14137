import { z } from "zod";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import type { Answer } from "../support/world.ts";
import { minimalInput, parametersOf, type Fields } from "./call.ts";
import { parameterOf } from "./ids.ts";
import type { ResourceIds } from "./seeds.ts";

// Calls a read with its optional filters: each alone and combined with the next.

type JsonSchema = Record<string, unknown>;
type Ask = (input: Fields) => Promise<Answer>;

/** Pages are walked with every filter; `wait` delays the response until a change. */
const NO_FILTERS: ReadonlySet<string> = new Set(["limit", "cursor", "wait"]);

/** Values that neither the schema nor an error message lists. */
const GIVEN: Readonly<Record<string, unknown>> = {
  country: "US",
  countries: ["US"],
  since: "2026-01-01",
  until: "2026-12-31",
};

/** Filters that are valid only with another. */
const NEEDS: Readonly<Record<string, Fields>> = { only: { statistics: true } };

/** A name that does not exist; the error lists the existing names. */
const UNKNOWN = "no such name";

/**
 * Calls a read with every optional filter alone, with each value of an enum, and with each pair of
 * adjacent filters, always for the first one-row page and the next. Returns filters without an
 * accepted value; `only` limits the filters.
 */
export async function readWithFilters(
  endpoint: AnyEndpoint,
  {
    ids,
    known,
    only,
    ask,
  }: { ids: ResourceIds; known: readonly ResourceIds[]; only: readonly string[] | undefined; ask: Ask },
): Promise<string[]> {
  const least = minimalInput(endpoint, ids);
  const walk = (filters: Fields) => walkTwo(endpoint, { ...least, ...filters }, ask);
  const refused: string[] = [];
  let before: Fields = {};
  for (const [field, schema] of optionalFields(endpoint, least)) {
    if (only?.includes(field) === false) continue;
    const taken: Fields[] = [];
    for (const value of field in GIVEN ? [GIVEN[field]] : valuesOf(schema, idFor(field, ids, known))) {
      const filter = { ...NEEDS[field], [field]: value };
      const answer = await walk(filter);
      const allowed = answer.status === 400 ? allowedIn(answer) : undefined;
      const named = { [field]: Array.isArray(value) ? [allowed] : allowed };
      if (answer.status === 200) taken.push(filter);
      else if (allowed !== undefined && (await walk(named)).status === 200) taken.push(named);
    }
    const [first] = taken;
    if (!first) refused.push(field);
    else if (Object.keys(before).length > 0) await walk({ ...before, ...first });
    before = first ?? before;
  }
  return refused;
}

/** Requests the first page of one row and the next page. */
async function walkTwo(endpoint: AnyEndpoint, input: Fields, ask: Ask): Promise<Answer> {
  const paged = "cursor" in endpoint.input.shape ? { ...input, limit: 1 } : input;
  const answer = await ask(paged);
  const cursor: unknown = answer.body?.next_cursor;
  if (typeof cursor === "string") await ask({ ...paged, cursor });
  return answer;
}

function allowedIn({ body }: Answer): string | undefined {
  const fields = (body.fields ?? []) as { allowed?: string[] }[];
  return fields.flatMap(({ allowed = [] }) => allowed)[0];
}

function optionalFields(endpoint: AnyEndpoint, least: Fields): [string, JsonSchema][] {
  const schema = z.toJSONSchema(endpoint.input, { io: "input", unrepresentable: "any", reused: "inline" });
  const isGiven = new Set([...parametersOf(endpoint), ...NO_FILTERS, ...Object.keys(least)]);
  return Object.entries((schema as JsonSchema)["properties"] as Record<string, JsonSchema>).filter(
    // Lists that the least input has empty can be filled.
    ([field]) => !isGiven.has(field) || Array.isArray(least[field]),
  );
}

/** An id for a field, from the same analysis if it belongs to one. */
function idFor(field: string, ids: ResourceIds, known: readonly ResourceIds[]): string | undefined {
  const parameter = parameterOf(field);
  const fits = (chain: ResourceIds) => (analysisOf(chain) ?? analysisOf(ids)) === analysisOf(ids);
  return known.find((chain) => chain[parameter] !== undefined && (parameter === "analysis_id" || fits(chain)))?.[
    parameter
  ];
}

function analysisOf(chain: ResourceIds): string | undefined {
  return chain["analysis_id"] ?? chain["project_id"];
}

/** Valid values of a schema: all of an enum, one of any other type. */
function valuesOf(schema: JsonSchema, id: string | undefined): unknown[] {
  const options = schema["anyOf"] as JsonSchema[] | undefined;
  if (options) return options.filter(({ type }) => type !== "null").flatMap((one) => valuesOf(one, id));
  if (Array.isArray(schema["enum"])) return schema["enum"];
  if ("const" in schema) return [schema["const"]];
  const type = schema["type"];
  if (type === "array") return valuesOf(schema["items"] as JsonSchema, id).map((value) => [value]);
  if (type === "boolean") return [true, false];
  if (type === "integer" || type === "number") return [schema["minimum"] ?? 1];
  if (schema["format"] === "date-time") return ["2026-01-01T00:00:00Z"];
  return [id ?? UNKNOWN];
}
