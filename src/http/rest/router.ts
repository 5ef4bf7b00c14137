import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Router, type Request, type Response } from "express";
import { endpoints } from "../../../tools/index.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import type { Caller } from "../../../auth/caller.ts";
import type { Upload } from "../../assets/uploads.ts";
import { bearerToken } from "../bearer.ts";
import { AppError, invalidInput } from "../../../core/errors.ts";
import { admitFile, invoke, type Call, type Deps } from "../../call/invoke.ts";
import { isLongList, jsonInTurns, type LongList } from "../../call/long-list.ts";
import { decoderOf, type Decoder } from "./decode.ts";

/** The REST interface: a route per endpoint, from its declaration. */
export function restRouter(deps: Deps, serves: (endpoint: AnyEndpoint) => boolean): Router {
  const router = Router({ caseSensitive: true });
  const served = endpoints.filter(serves);
  for (const endpoint of served) {
    const method = endpoint.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
    const decoder = decoderOf(endpoint);
    router[method](endpoint.path, async (request, response) => {
      const caller = await callerOf(request, deps);
      const tooMany = caller && (await deps.limits.requests.ofCaller(caller, response));
      if (tooMany) throw tooMany;
      const call = {
        caller,
        requestId: response.locals["requestId"] as string,
        // Responses are stored per person: unauthenticated callers are told to sign in, whatever the key.
        idempotencyKey: caller ? idempotencyKeyOf(request) : undefined,
      };
      const result =
        endpoint.file === undefined
          ? await invokeCounted(endpoint, await readRequest(decoder, request), call, { request, response, deps })
          : await invokeWithFile(endpoint, decoder, { request, call, deps });
      response.set("cache-control", "no-store").status(endpoint.status ?? 200);
      if (isLongList(result)) await sendLongList(response, result);
      else response.json(result);
    });
  }
  refuseOtherMethods(router, served);
  return router;
}

/** `invoke` for what takes a file: nothing is read of a caller who may not add one, and no file stays of a refusal. */
async function invokeWithFile(
  endpoint: AnyEndpoint,
  decoder: Decoder,
  { request, call, deps }: { request: Request; call: Call; deps: Deps },
): Promise<unknown> {
  await admitFile(endpoint, request.params, call, deps);
  const upload = deps.uploads.begin();
  try {
    return await invokeWith(endpoint, await readRequest(decoder, request, upload), call, deps);
  } finally {
    await upload.release();
  }
}

/** `invoke`, which counts what is refused where keys, tokens and codes are exchanged: these need no sign-in. */
async function invokeCounted(
  endpoint: AnyEndpoint,
  read: ReadRequest,
  call: Call,
  { request, response, deps }: { request: Request; response: Response; deps: Deps },
): Promise<unknown> {
  if (endpoint.access !== "public") return invokeWith(endpoint, read, call, deps);
  const { attempts } = deps.limits;
  const tried = { address: deps.limits.addressOf(request), secret: JSON.stringify(read.raw) };
  await attempts.admitSecret(tried, response);
  try {
    return await invokeWith(endpoint, read, call, deps);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await attempts.wrongSecret(tried);
    throw error;
  }
}

interface ReadRequest {
  raw: Record<string, unknown>;
  unreadable?: AppError;
}

/** A request that cannot be read is refused by `invoke`, so that it too is first asked whose it is. */
async function readRequest(decoder: Decoder, request: Request, upload?: Upload): Promise<ReadRequest> {
  try {
    return { raw: await decoder.decode(request, upload) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { raw: { ...request.params }, unreadable: error };
  }
}

function invokeWith(endpoint: AnyEndpoint, { raw, unreadable }: ReadRequest, call: Call, deps: Deps) {
  return invoke(endpoint, raw, { ...call, unreadable }, deps);
}

async function sendLongList(response: Response, list: LongList): Promise<void> {
  response.type("json");
  try {
    await pipeline(Readable.from(jsonInTurns(list)), response);
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

function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.get("idempotency-key");
  if (key !== undefined && !/^[\x21-\x7E]{1,255}$/.test(key)) {
    throw invalidInput([{ path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }]);
  }
  return key;
}

/** 405 with Allow for a known path, so that a wrong verb is not taken for a wrong address. */
function refuseOtherMethods(router: Router, served: readonly AnyEndpoint[]): void {
  for (const path of new Set(served.map((endpoint) => endpoint.path))) {
    const methods = served.filter((endpoint) => endpoint.path === path).map((endpoint) => endpoint.method);
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    router.all(path, (request: Request, response: Response) => {
      response.set("allow", allow);
      if (request.method === "OPTIONS") response.status(204).end();
      else throw new AppError("METHOD_NOT_ALLOWED", `This address answers ${allow}.`);
    });
  }
}
