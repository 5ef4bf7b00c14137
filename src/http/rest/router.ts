import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RequestHandler, Response } from "express";
import { endpoints } from "../../../tools/index.ts";
import { Queued, type AnyEndpoint } from "../../../tools/endpoint.ts";
import type { Caller } from "../../../auth/caller.ts";
import { readBearerToken } from "../../../auth/oauth/access-tokens.ts";
import { BODY_LIMIT_BYTES, OPEN_BODY_LIMIT_BYTES } from "../body.ts";
import { AppError, invalidInput } from "../../../core/shared/errors.ts";
import { admitCall, invokeEncoded } from "../../call/invoke.ts";
import type { Call, Deps } from "../../call/deps.ts";
import { isLongList, serialiseInChunks } from "../../call/output.ts";
import { JsonBytes } from "../../reads/json-bytes.ts";
import { JSON_TYPE, rejectMethod, respondJson } from "../respond.ts";
import { sendFile } from "../send-file.ts";
import { createDisconnectSignal } from "../disconnect-signal.ts";
import { openRouteTable } from "./route-table.ts";
import { decode, hashWithoutBody, type RestRequest, type PendingUpload } from "./decode.ts";

export function createRestHandler(deps: Deps, serves: (endpoint: AnyEndpoint) => boolean): RequestHandler {
  const table = openRouteTable(
    endpoints.filter(serves).map((endpoint) => ({ method: endpoint.method, path: endpoint.path, value: endpoint })),
  );
  return async (request, response, next) => {
    const { method, path } = request;
    const found = table.findRoute(method, path);
    if (!found) return next();
    if ("allow" in found) return rejectMethod(found.allow, request, response);
    await handleRequest(found.value, {
      request: { message: request, path, params: found.getParams() },
      response,
      deps,
    });
  };
}

async function handleRequest(endpoint: AnyEndpoint, { request, response, deps }: Omit<RestExchange, "call">) {
  const { message } = request;
  const isPublic = endpoint.access === "public";
  // An endpoint that verifies a key or code ignores the client's token.
  const caller = isPublic ? undefined : await authenticate(request, deps);
  const tooMany = caller && (await deps.limits.requests.countByCaller(caller, response));
  if (tooMany) throw tooMany;
  // Responses are stored per person, so unauthenticated callers get UNAUTHENTICATED for any key.
  const idempotencyKey = caller && message.headers["idempotency-key"]?.toString();
  const call = {
    caller,
    requestId: response.locals["requestId"] as string,
    idempotencyKey,
    parseError: checkIdempotencyKey(idempotencyKey),
    bodyHash: hashWithoutBody(request),
    disconnectSignal: () => createDisconnectSignal(response),
    respondAsync: prefersAsync(message),
  };
  const exchange = { request, response, call, deps };
  const result = await (isPublic ? invokeWithAttemptLimit : admitAndInvoke)(endpoint, exchange);
  const status = endpoint.status ?? 200;
  if (result instanceof JsonBytes) await sendParts(response, status, result.parts);
  else if (result instanceof Queued) sendQueued(response, result, call);
  else if (endpoint.sendsFile) await sendFile(response, endpoint.sendsFile.toSentFile(result), deps.blobs);
  else if (isLongList(result)) await sendParts(response, status, serialiseInChunks(result));
  else respondJson(response, status, result);
}

interface RestExchange {
  request: RestRequest;
  response: Response;
  /** `bodyHash` is a digest of the address, known before the body is read. */
  call: Call & { bodyHash: string };
  deps: Deps;
}

/** Reads no body of a caller without permission, and deletes the file of a rejected call. */
async function admitAndInvoke(endpoint: AnyEndpoint, exchange: RestExchange): Promise<unknown> {
  const { request, call, deps } = exchange;
  const hasBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  if (!hasBody) return invokeRead(endpoint, await readRequest(endpoint, exchange), call, deps);
  await admitCall(endpoint, { ...request.params }, call, deps);
  const uploading = beginUpload(endpoint, exchange);
  try {
    return await invokeRead(endpoint, await readRequest(endpoint, exchange, uploading), call, deps);
  } finally {
    await (uploading.file ?? uploading.linesUpload)?.release();
  }
}

function beginUpload(endpoint: AnyEndpoint, { request, call, deps: { uploads } }: RestExchange): PendingUpload {
  const userId = call.caller?.userId ?? "";
  if (endpoint.file !== undefined) return { file: uploads.begin(userId) };
  if (endpoint.body !== "lines") return {};
  return { linesUpload: uploads.beginLines({ userId, organizationId: String(request.params["organization_id"]) }) };
}

/** Counts failures of endpoints that exchange keys, tokens or codes without sign-in. */
async function invokeWithAttemptLimit(endpoint: AnyEndpoint, exchange: RestExchange): Promise<unknown> {
  const { request, response, call, deps } = exchange;
  const { attempts } = deps.limits;
  const read = await readRequest(endpoint, exchange);
  const tried = { address: deps.limits.addressOf(request.message), secret: read.bodyHash };
  await attempts.admitSecret(tried, response);
  try {
    return await invokeRead(endpoint, read, call, deps);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await attempts.wrongSecret(tried);
    throw error;
  }
}

interface DecodedRequest {
  raw: Record<string, unknown>;
  bodyHash: string;
  parseError?: AppError;
}

/** `invoke` rejects an unreadable request, so that it leaves an audit row like any other. */
async function readRequest(endpoint: AnyEndpoint, exchange: RestExchange, uploading?: PendingUpload) {
  const { request, response, call, deps } = exchange;
  const { limits } = deps;
  const holder = call.caller ? { account: call.caller.userId } : { address: limits.addressOf(request.message) };
  const limitBytes = call.caller ? BODY_LIMIT_BYTES : OPEN_BODY_LIMIT_BYTES;
  try {
    const { raw, bodyHash = call.bodyHash } = await decode(
      endpoint,
      { request, response, hold: limits.bodies.open(holder, response), limitBytes },
      uploading,
    );
    return { raw, bodyHash };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { raw: { ...request.params }, bodyHash: call.bodyHash, parseError: error };
  }
}

function invokeRead(endpoint: AnyEndpoint, { raw, bodyHash, parseError }: DecodedRequest, call: Call, deps: Deps) {
  return invokeEncoded(endpoint, raw, { ...call, bodyHash, parseError: parseError ?? call.parseError }, deps);
}

/** Responds 202 for a queued job (RFC 7240 if the client asked for it). */
function sendQueued(response: ServerResponse, { body }: Queued, { respondAsync }: Call): void {
  if (respondAsync) response.setHeader("preference-applied", "respond-async");
  respondJson(response, 202, body);
}

async function sendParts(
  response: ServerResponse,
  status: number,
  parts: AsyncIterable<string> | readonly Uint8Array[],
): Promise<void> {
  const headers = { "content-type": JSON_TYPE, "cache-control": "no-store" };
  if ("length" in parts && parts.length === 1) {
    response.writeHead(status, { ...headers, "content-length": parts[0]?.byteLength ?? 0 });
    response.end(parts[0]);
    return;
  }
  response.writeHead(status, headers);
  try {
    await pipeline(Readable.from(parts), response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}

async function authenticate({ message }: RestRequest, deps: Deps): Promise<Caller | undefined> {
  const token = readBearerToken(message);
  const proven = token === undefined ? undefined : await deps.restTokens.verify(token, deps.now());
  return proven && deps.store.read((db) => proven.loadCaller(db));
}

function prefersAsync({ headers: { prefer } }: IncomingMessage): boolean {
  if (prefer === undefined) return false;
  const preferences = prefer.toString().split(/[,;]/);
  return preferences.some((one) => one.trim().toLowerCase() === "respond-async");
}

/** Error of an invalid key, which an endpoint can map to its own. */
function checkIdempotencyKey(key: string | undefined): AppError | undefined {
  if (key === undefined || /^[\x21-\x7E]{1,255}$/.test(key)) return undefined;
  return invalidInput([{ path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }]);
}
