import { z } from "zod";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import type { Answer } from "../support/world.ts";
import { leastInput, parametersOf, type Fields } from "./call.ts";
import { parameterOf } from "./ids.ts";
import type { Chain } from "./seeds.ts";

// What a read leaves open: each optional filter with a value that it takes, alone and beside the next one.

type JsonSchema = Record<string, unknown>;
type Ask = (input: Fields) => Promise<Answer>;

/** Pages are walked with every filter; `wait` holds its call open until something changes. */
const NO_FILTERS: ReadonlySet<string> = new Set(["limit", "cursor", "wait"]);

/** Values that neither the schema nor a refusal says. */
const GIVEN: Readonly<Record<string, unknown>> = { country: "US" };

/** Filters that are taken with another alone. */
const NEEDS: Readonly<Record<string, Fields>> = { only: { statistics: true } };

/** No name of anything: who sends it is told names that there are. */
const UNKNOWN = "no such name";

/**
 * Asks a read with every optional filter alone, with each value of a closed list, and with each two that follow each other: a page of one
 * row and the page behind it. Gives the filters of which it took no value. `only` are those that are tried.
 */
export async function askWithFilters(
  endpoint: AnyEndpoint,
  { ids, known, only, ask }: { ids: Chain; known: readonly Chain[]; only: readonly string[] | undefined; ask: Ask },
): Promise<string[]> {
  const least = leastInput(endpoint, ids);
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

/** The first page of one row, and the page behind it. */
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

/** An id of what a field names, of the same analysis where it belongs to one. */
function idFor(field: string, ids: Chain, known: readonly Chain[]): string | undefined {
  const parameter = parameterOf(field);
  const fits = (chain: Chain) => (analysisOf(chain) ?? analysisOf(ids)) === analysisOf(ids);
  return known.find((chain) => chain[parameter] !== undefined && (parameter === "analysis_id" || fits(chain)))?.[
    parameter
  ];
}

function analysisOf(chain: Chain): string | undefined {
  return chain["analysis_id"] ?? chain["project_id"];
}

/** Values that a schema allows: all of a closed list, and one of any other kind. */
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
