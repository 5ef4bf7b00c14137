import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import type { LinesUpload, FileUpload } from "../../assets/uploads.ts";
import { parseJsonBody, readText, streamBody, type Inbound, parseFormPairs, parseQuery } from "../body.ts";
import { AppError, invalidInput } from "../../../core/shared/errors.ts";
import { JsonTooLarge, parseJson } from "../../../core/shared/json.ts";
import { JSON_BODY_BOUNDS } from "../../../core/shared/request-bounds.ts";
import { readMultipart } from "./multipart.ts";

type FieldKind = "string" | "string or null" | "number" | "boolean" | "object" | "strings" | "numbers" | "objects";
type Raw = Record<string, unknown>;

export interface PendingUpload {
  file?: FileUpload;
  linesUpload?: LinesUpload;
}

export interface RestRequest {
  message: IncomingMessage;
  path: string;
  params: Record<string, string>;
}

export interface RestInbound extends Pick<Inbound, "response" | "hold"> {
  request: RestRequest;
  limitBytes: number;
}

export interface DecodedInput {
  raw: Raw;
  /** SHA-256 of body and path, to detect repeated requests; undefined without a body. */
  bodyHash: string | undefined;
}

export function hashWithoutBody({ message }: RestRequest): string {
  return hash("sha256", message.url ?? "", "base64url");
}

export async function decode(
  endpoint: AnyEndpoint,
  inbound: RestInbound,
  pendingUpload: PendingUpload = {},
): Promise<DecodedInput> {
  const { path, params, message } = inbound.request;
  const kinds = kindsByEndpoint.get(endpoint) ?? classifyFields(endpoint);
  kindsByEndpoint.set(endpoint, kinds);
  const hasBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  const body = hasBody ? await readBody(inbound, { endpoint, kinds, pendingUpload }) : undefined;
  const given = body ? body.given : parsePairs(parseQuery(message.url), kinds);
  for (const key of Object.keys(given)) {
    if (key in params) throw invalidInput([{ path: key, message: "belongs in the path, not here" }]);
  }
  const bodyHash = body && hash("sha256", `${path} ${body.sha256}`, "base64url");
  return { raw: { ...given, ...params }, bodyHash };
}

const kindsByEndpoint = new WeakMap<AnyEndpoint, Map<string, FieldKind>>();

function classifyFields(endpoint: AnyEndpoint): Map<string, FieldKind> {
  const schema = z.toJSONSchema(endpoint.input, { io: "input", unrepresentable: "any" });
  type Schema = z.core.JSONSchema.BaseSchema;
  const bare = (part: z.core.JSONSchema._JSONSchema | undefined): Schema => {
    if (typeof part !== "object") return {};
    const name = part.$ref?.startsWith("#/$defs/") ? part.$ref.slice("#/$defs/".length) : undefined;
    return name === undefined ? part : bare(schema.$defs?.[name]);
  };
  const classifyField = (field: Schema): FieldKind => {
    const options = [field, ...(field.anyOf ?? [])].map(bare);
    const has = (...types: string[]) =>
      options.some(({ type }) => [type ?? []].flat().some((one) => types.includes(one)));
    const list = options.find(({ type }) => type === "array");
    if (list) {
      const { type } = bare(Array.isArray(list.items) ? undefined : list.items);
      return type === "object" ? "objects" : type === "number" || type === "integer" ? "numbers" : "strings";
    }
    if (has("number", "integer")) return "number";
    if (has("boolean")) return "boolean";
    if (has("object")) return "object";
    return has("null") ? "string or null" : "string";
  };
  return new Map(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, classifyField(bare(field))]));
}

/** `a=1&a=2`, `a[]=1` and a single value all form an array; objects are JSON. */
function parsePairs(pairs: Iterable<[string, string]>, kinds: Map<string, FieldKind>): Raw {
  // A null prototype prevents names such as `__proto__` from having an effect.
  const query = Object.create(null) as Raw;
  const lists = new Map<string, unknown[]>();
  for (const [name, value] of pairs) {
    const key = name.endsWith("[]") ? name.slice(0, -2) : name;
    const kind = kinds.get(key) ?? "string";
    if (kind === "strings" || kind === "numbers" || kind === "objects") {
      const list = lists.get(key) ?? [];
      lists.set(key, list);
      query[key] = list;
      if (value !== "") for (const item of parseItems(value, kind)) list.push(item);
    } else if (Object.hasOwn(query, key)) {
      throw invalidInput([{ path: key, message: "is given twice" }]);
    } else if (value !== "" || kind.startsWith("string")) query[key] = parseSingle(value, kind);
  }
  return query;
}

/** One item of a list; an object list also accepts several items as a JSON array. */
function parseItems(value: string, kind: FieldKind): unknown[] {
  if (kind === "objects") return [parseJsonValue(value)].flat();
  return [kind === "numbers" ? parseNumber(value) : value];
}

function parseSingle(value: string, kind: FieldKind): unknown {
  if (kind === "object") return parseJsonValue(value);
  if (kind === "number") return parseNumber(value);
  if (kind === "string or null" && value === "") return null;
  if (kind === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** Returns invalid JSON unchanged, so that the schema rejects it. */
function parseJsonValue(value: string): unknown {
  try {
    return parseJson(value, JSON_BODY_BOUNDS);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new AppError("VALIDATION_FAILED", error.message, { cause: error });
    return value;
  }
}

/** Returns invalid numbers unchanged, so that the schema rejects them. */
function parseNumber(value: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Any unknown content type is read as JSON (interface.md section 4). */
async function readBody(
  { request: { message: request }, limitBytes, ...held }: RestInbound,
  by: { endpoint: AnyEndpoint; kinds: Map<string, FieldKind>; pendingUpload: PendingUpload },
): Promise<{ given: Raw; sha256: string }> {
  const { endpoint, kinds, pendingUpload } = by;
  const inbound = { request, ...held };
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  const { file: upload, linesUpload: incoming } = pendingUpload;
  if (incoming) {
    const lines = await incoming.receive(streamBody(inbound, (bytes) => incoming.admit(bytes)));
    return { given: { lines }, sha256: lines.sha256 };
  }
  if (type === "multipart/form-data") {
    const { pairs, file } = await readMultipart(inbound, endpoint.file, upload);
    const given = rejectTypedFile(parsePairs(pairs, kinds), endpoint);
    if (endpoint.file !== undefined && file !== undefined) given[endpoint.file] = file;
    // Clients choose a new multipart boundary per request, so the hash covers the parts.
    return { given, sha256: hash("sha256", JSON.stringify([pairs, file]), "base64url") };
  }
  const { text, sha256 } = await readText(inbound, limitBytes);
  const isForm = type === "application/x-www-form-urlencoded";
  const given = isForm ? parsePairs(parseFormPairs(text), kinds) : parseJsonObject(text);
  return { given: rejectTypedFile(given, endpoint), sha256 };
}

function parseJsonObject(text: string): Raw {
  if (text.trim() === "") return {};
  const value = parseJsonBody(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AppError("VALIDATION_FAILED", "The body must be a JSON object.");
  }
  return { ...value };
}

/** Only the decoder sets the uploaded file: a caller who could name a file could read any file. */
function rejectTypedFile(given: Raw, { file }: AnyEndpoint): Raw {
  if (file === undefined || !Object.hasOwn(given, file)) return given;
  throw invalidInput([{ path: file, message: "must be a file, sent as multipart/form-data" }]);
}
