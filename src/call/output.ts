import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { Queued, type AnyEndpoint } from "../../tools/endpoint.ts";

/** `toolInput` is set for tools. */
export async function filterOutput(
  endpoint: AnyEndpoint,
  result: unknown,
  toolInput?: Record<string, unknown>,
): Promise<unknown> {
  const output = await selectDeclared(endpoint, result);
  const omitted = new Set(toolInput && endpoint.unselectedFields?.(toolInput));
  if (omitted.size === 0) return output;
  const { data, ...rest } = output as { data: object[] }; // safe: only lists declare unselected fields
  const omit = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => !omitted.has(name)));
  return { ...rest, data: data.map(omit) };
}

async function selectDeclared(endpoint: AnyEndpoint, result: unknown): Promise<unknown> {
  if (result instanceof Queued) {
    if (!endpoint.job) throw new Error(`${endpoint.name} queued a job that it does not declare`);
    // Safe: an object schema returns an object, a list schema a list.
    return new Queued(pickDeclared(endpoint.job.queued, result.body) as Queued["body"]);
  }
  const { output } = endpoint;
  if (!isLongList(result)) return pickDeclared(output, result);
  const data: unknown[] = [];
  for await (const rows of splitIntoChunks(result.data)) {
    // Fields other than `data` are equal in every part.
    data.push(...(pickDeclared(output, { ...result, data: rows }) as LongList).data);
  }
  return { ...(pickDeclared(output, { ...result, data: [] }) as LongList), data };
}

/** Selects declared fields and applies schema defaults. */
function pickDeclared(schema: z.core.$ZodType, value: unknown): unknown {
  // Zod's union of schema kinds is discriminated by `type`.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (value === undefined) return def.type === "default" ? def.defaultValue : undefined;
  if (value === null) return null;
  switch (def.type) {
    case "object":
      return pickFields(def, value as Record<string, unknown>);
    case "array":
      return (value as unknown[]).map((one) => pickDeclared(def.element, one));
    case "record":
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, pickDeclared(def.valueType, one)]));
    case "nullable":
    case "optional":
    case "default":
    case "readonly":
    case "nonoptional":
      return pickDeclared(def.innerType, value);
    case "lazy":
      return pickDeclared(def.getter(), value);
    case "union":
    case "pipe":
    case "transform":
    case "intersection":
    case "tuple":
    case "catch":
    case "prefault":
      // Parses the value, because only parsing tells which union member matches.
      return z.parse(schema, value);
    default:
      return value;
  }
}

function pickFields({ shape, catchall }: z.core.$ZodObjectDef, given: Record<string, unknown>): object {
  const isOpen = catchall !== undefined && catchall._zod.def.type !== "never";
  const picked: Record<string, unknown> = isOpen ? { ...given } : {};
  for (const [name, field] of Object.entries(shape)) {
    const value = pickDeclared(field, given[name]);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** Rows processed before yielding to the event loop; a few milliseconds of work. */
export const ROWS_PER_CHUNK = 200;

export interface LongList {
  data: readonly unknown[];
  [field: string]: unknown;
}

export function isLongList(value: unknown): value is LongList {
  if (typeof value !== "object" || value === null || !("data" in value)) return false;
  return Array.isArray(value.data) && value.data.length > ROWS_PER_CHUNK;
}

/** Yields to the event loop after each part, so that long lists do not delay other requests. */
export async function* splitIntoChunks<T>(rows: readonly T[]): AsyncGenerator<T[]> {
  for (let first = 0; first < rows.length; first += ROWS_PER_CHUNK) {
    yield rows.slice(first, first + ROWS_PER_CHUNK);
    await nextTurn();
  }
}

export async function* serialiseInChunks({ data, ...rest }: LongList): AsyncGenerator<string> {
  let before = `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length > 0 ? "," : ""}"data":[`;
  for await (const rows of splitIntoChunks(data)) {
    yield before + JSON.stringify(rows).slice(1, -1);
    before = ",";
  }
  yield "]}";
}
