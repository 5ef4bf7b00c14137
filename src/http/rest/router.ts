import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, RequestHandler, Response } from "express";
import { endpoints } from "../../../tools/index.ts";
import { Queued, type AnyEndpoint } from "../../../tools/endpoint.ts";
import type { Caller } from "../../../auth/caller.ts";
import { bearerToken } from "../bearer.ts";
import { AppError, invalidInput } from "../../../core/errors.ts";
import { admitCall, invokeToSend, type Call, type Deps } from "../../call/invoke.ts";
import { isLongList, jsonInTurns } from "../../call/long-list.ts";
import { JsonBytes } from "../../reads/json-bytes.ts";
import { sendFile } from "../send-file.ts";
import { goneSignal } from "../gone-signal.ts";
import { openRouteTable } from "./route-table.ts";
import { decoderOf, sentWithoutBody, type Decoder, type Uploading } from "./decode.ts";

/**
 * The REST interface: a route per endpoint, from its declaration, in one table. Express would try one after the other, and let
 * the event loop turn after each hundred.
 */
export function restHandler(deps: Deps, serves: (endpoint: AnyEndpoint) => boolean): RequestHandler {
  const routes = endpoints.filter(serves).map((endpoint) => {
    const decoder = decoderOf(endpoint);
    const value = (request: Request, response: Response) => answer(endpoint, decoder, { request, response, deps });
    return { method: endpoint.method, path: endpoint.path, value };
  });
  const table = openRouteTable(routes);
  return async (request, response, next) => {
    const found = table.find(request.method, request.path);
    if (!found) return next();
    if ("allow" in found) return refuseMethod(found.allow, request, response);
    request.params = found.params;
    await found.value(request, response);
  };
}

/** Runs an endpoint and sends what it gives. Rejects with what is refused. */
async function answer(
  endpoint: AnyEndpoint,
  decoder: Decoder,
  { request, response, deps }: Omit<Exchange, "call">,
): Promise<void> {
  const isPublic = endpoint.access === "public";
  // What proves itself by a key or code is answered whatever token the client still sends.
  const caller = isPublic ? undefined : await callerOf(request, deps);
  const tooMany = caller && (await deps.limits.requests.ofCaller(caller, response));
  if (tooMany) throw tooMany;
  const call = {
    caller,
    requestId: response.locals["requestId"] as string,
    // Responses are stored per person: unauthenticated callers are told to sign in, whatever the key.
    idempotencyKey: caller ? idempotencyKeyOf(request) : undefined,
    sent: sentWithoutBody(request),
    gone: () => goneSignal(response),
    respondAsync: prefersAsync(request),
  };
  const exchange = { request, response, call, deps };
  const result = await (isPublic ? invokeCounted : invokeAdmitted)(endpoint, decoder, exchange);
  response.set("cache-control", "no-store").status(endpoint.status ?? 200);
  if (result instanceof JsonBytes) await sendParts(response, result.parts);
  else if (result instanceof Queued) sendQueued(response, result, call);
  else if (endpoint.sendsFile) await sendFile(response, endpoint.sendsFile.of(result), deps.blobs);
  else if (isLongList(result)) await sendParts(response, jsonInTurns(result));
  else response.json(result);
}

interface Exchange {
  request: Request;
  response: Response;
  call: Call;
  deps: Deps;
}

/** `invoke`: nothing is read of a caller who may not call this, and no file stays of what is refused after that. */
async function invokeAdmitted(endpoint: AnyEndpoint, decoder: Decoder, exchange: Exchange): Promise<unknown> {
  const { request, call, deps } = exchange;
  const hasBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  if (hasBody) await admitCall(endpoint, { ...request.params }, call, deps);
  const uploading = beginUpload(endpoint, exchange);
  try {
    return await invokeRead(endpoint, await readRequest(decoder, exchange, uploading), call, deps);
  } finally {
    await (uploading.file ?? uploading.lines)?.release();
  }
}

function beginUpload(endpoint: AnyEndpoint, { request, call, deps: { uploads } }: Exchange): Uploading {
  const userId = call.caller?.userId ?? "";
  if (endpoint.file !== undefined) return { file: uploads.begin(userId) };
  if (endpoint.body !== "lines") return {};
  return { lines: uploads.beginLines({ userId, organizationId: String(request.params["organization_id"]) }) };
}

/** `invoke` where keys, tokens and codes are exchanged: these need no sign-in, so that what is refused is counted. */
async function invokeCounted(endpoint: AnyEndpoint, decoder: Decoder, exchange: Exchange): Promise<unknown> {
  const { request, response, call, deps } = exchange;
  const { attempts } = deps.limits;
  const read = await readRequest(decoder, exchange);
  const tried = { address: deps.limits.addressOf(request), secret: read.sent };
  await attempts.admitSecret(tried, response);
  try {
    return await invokeRead(endpoint, read, call, deps);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await attempts.wrongSecret(tried);
    throw error;
  }
}

interface ReadRequest {
  raw: Record<string, unknown>;
  sent: string;
  unreadable?: AppError;
}

/** A request that cannot be read is refused by `invoke`, so that it leaves an audit row as every other. */
async function readRequest(decoder: Decoder, exchange: Exchange, uploading?: Uploading): Promise<ReadRequest> {
  const { request, response, call, deps } = exchange;
  const { limits } = deps;
  const holder = call.caller ? { account: call.caller.userId } : { address: limits.addressOf(request) };
  try {
    return await decoder.decode({ request, response, hold: limits.bodies.open(holder, response) }, uploading);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { raw: { ...request.params }, sent: sentWithoutBody(request), unreadable: error };
  }
}

function invokeRead(endpoint: AnyEndpoint, { raw, sent, unreadable }: ReadRequest, call: Call, deps: Deps) {
  return invokeToSend(endpoint, raw, { ...call, sent, unreadable }, deps);
}

/** 202: a job does the rest (RFC 7240 for what a client asked for). */
function sendQueued(response: Response, { body }: Queued, { respondAsync }: Call): void {
  if (respondAsync) response.set("preference-applied", "respond-async");
  response.status(202).json(body);
}

async function sendParts(response: Response, parts: AsyncIterable<string> | readonly Uint8Array[]): Promise<void> {
  response.type("json");
  if ("length" in parts && parts.length === 1) {
    response.end(parts[0]);
    return;
  }
  try {
    await pipeline(Readable.from(parts), response);
  } catch (error) {
    // The client has disconnected.
    if (!response.destroyed) throw error;
  }
}

/** The caller that the Authorization header proves; undefined without one. */
async function callerOf(request: Request, deps: Deps): Promise<Caller | undefined> {
  const token = bearerToken(request);
  if (token === undefined) return undefined;
  return deps.restTokens.verify(deps.store, token, deps.now());
}

function prefersAsync(request: Request): boolean {
  const preferences = (request.get("prefer") ?? "").split(/[,;]/);
  return preferences.some((one) => one.trim().toLowerCase() === "respond-async");
}

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get("idempotency-key");
  if (key !== undefined && !/^[\x21-\x7E]{1,255}$/.test(key)) {
    throw invalidInput([{ path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }]);
  }
  return key;
}

/** 405 with Allow for a known path, so that a wrong verb is not taken for a wrong address. */
function refuseMethod(methods: readonly string[], request: Request, response: Response): void {
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  response.set("allow", allow);
  if (request.method !== "OPTIONS") throw new AppError("METHOD_NOT_ALLOWED", `This address answers ${allow}.`);
  response.status(204).end();
}
