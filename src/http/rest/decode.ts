import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import type { LinesUpload, FileUpload } from "../../assets/uploads.ts";
import { parseJsonBody, readText, streamBody, type Inbound, parseFormPairs, getQueryText } from "../body.ts";
import { AppError, invalidInput } from "../../../core/shared/errors.ts";
import { unwrapSchema } from "../../../core/shared/fields.ts";
import { isUnset, readLeniently } from "../mcp/tools/lenient-arguments.ts";
import { readMultipart } from "./multipart.ts";

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
  const hasBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  const body = hasBody ? await readBody(inbound, endpoint, pendingUpload) : undefined;
  const given = body ? body.given : parsePairs(parseFormPairs(getQueryText(message.url)), endpoint, true);
  for (const key of Object.keys(given)) {
    if (key in params) throw invalidInput([{ path: key, message: "belongs in the path, not here" }]);
  }
  const bodyHash = body && hash("sha256", `${path} ${body.sha256}`, "base64url");
  return { raw: { ...given, ...params }, bodyHash };
}

/** Names and free text, where `null` is a text. */
const FIELDS_WITH_TEXT_NULL: ReadonlySet<string> = new Set(["search_query", "brands"]);

/**
 * Reads values as tools do. `a=1&a=2`, `a[]=1`, `a[0]=1`, `a=1,2` and a single value all form a
 * list. In a query, a single `null` is null, and an empty text is absent.
 */
function parsePairs(pairs: Iterable<[string, string]>, endpoint: AnyEndpoint, isQuery = false): Raw {
  const shape = endpoint.input.shape as Record<string, unknown>;
  const textsByField = new Map<string, string[]>();
  for (const [name, text] of pairs) {
    const field = name.replace(/\[\d{0,4}\]$/, "");
    const texts = textsByField.get(field);
    if (texts) texts.push(text);
    else textsByField.set(field, [text]);
  }
  // A null prototype prevents names such as `__proto__` from having an effect.
  const raw = Object.create(null) as Raw;
  for (const [field, texts] of textsByField) {
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    const [text = "", ...more] = texts;
    const isNull = isQuery && text === "null" && more.length === 0 && !FIELDS_WITH_TEXT_NULL.has(field);
    if (isNull && takesNull(schema)) raw[field] = null;
    else if (takesList(schema)) raw[field] = readEntries(schema, texts);
    else if (more.length > 0) throw invalidInput([{ path: field, message: "is given twice" }]);
    else if (text !== "") raw[field] = readLeniently(schema, text);
    else if (isQuery ? !isUnset(schema, text) : takesText(schema)) raw[field] = takesNull(schema) ? null : text;
  }
  return raw;
}

function takesNull(schema: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(null).success;
}

function takesList(schema: unknown): boolean {
  const bare = unwrapSchema(schema);
  return bare instanceof z.ZodUnion ? bare.options.some(takesList) : bare instanceof z.ZodArray;
}

function takesText(schema: unknown): boolean {
  const bare = unwrapSchema(schema);
  return ![z.ZodNumber, z.ZodBoolean, z.ZodObject, z.ZodRecord].some((other) => bare instanceof other);
}

/** A repeated list of objects can have several of them in each JSON text. */
function readEntries(schema: unknown, texts: readonly string[]): unknown {
  const entries = texts.flatMap((text) => {
    const read = text === "" ? [] : readLeniently(schema, text);
    return Array.isArray(read) ? (read as unknown[]) : [text];
  });
  return readLeniently(schema, entries);
}

/** Any unknown content type is read as JSON (interface.md section 4). */
async function readBody(
  { request: { message: request }, limitBytes, ...held }: RestInbound,
  endpoint: AnyEndpoint,
  { file: upload, linesUpload: incoming }: PendingUpload,
): Promise<{ given: Raw; sha256: string }> {
  const inbound = { request, ...held };
  const type = (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (incoming) {
    const lines = await incoming.receive(streamBody(inbound, (bytes) => incoming.admit(bytes)));
    return { given: { lines }, sha256: lines.sha256 };
  }
  if (type === "multipart/form-data") {
    const { pairs, file } = await readMultipart(inbound, endpoint.file, upload);
    const given = rejectTypedFile(parsePairs(pairs, endpoint), endpoint);
    if (endpoint.file !== undefined && file !== undefined) given[endpoint.file] = file;
    // Clients choose a new multipart boundary per request, so the hash covers the parts.
    return { given, sha256: hash("sha256", JSON.stringify([pairs, file]), "base64url") };
  }
  const { text, sha256 } = await readText(inbound, limitBytes);
  const isForm = type === "application/x-www-form-urlencoded";
  const given = isForm ? parsePairs(parseFormPairs(text), endpoint) : parseJsonObject(text);
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
