import { Router, type NextFunction, type Request, type Response } from "express";
import type { Logger } from "pino";
import type { ScimCaller } from "../../../auth/sso/scim-tokens.ts";
import { insertAuditRows, type AuditRow } from "../../../db/identity/audit/audit.ts";
import { entryText, namesFor } from "../../../db/identity/audit/entry-text.ts";
import type { Db } from "../../../db/engine/store.ts";
import { bearerToken } from "../bearer.ts";
import { hashOf } from "../../call/call-row.ts";
import type { Config } from "../../config.ts";
import { AppError, notFound } from "../../../core/errors.ts";
import { errorBody } from "../error-body.ts";
import type { Deps } from "../../call/invoke.ts";
import { outcomeOf } from "../../call/record-call.ts";
import { resourceTypes, schemas, serviceProviderConfig } from "./discovery.ts";
import { errorMessage, listResponse, PATH, windowOf } from "./messages.ts";
import { onlyReads, operations, type Reply, type ScimOperation } from "./operations.ts";
import { parseJson, queryIn, readBody, readQuery, readSearch } from "./request.ts";
import { namesVersion, type Scim } from "./scim.ts";

interface Parts {
  config: Config;
  deps: Deps;
  log: Logger;
}

/** SCIM for identity providers (RFC 7644). A request reaches the organization of its token, and no other. */
export function scimRouter(parts: Parts): Router {
  const router = Router({ caseSensitive: true });
  router.use(async (request, response, next) => {
    response.locals["scim"] = await callerOf(request, response, parts.deps);
    next();
  });
  for (const operation of operations) {
    const method = operation.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
    router[method](operation.path, (request, response) => answer(operation, { request, response }, parts));
  }
  discovery(router, parts);
  rejectOthers(router);
  router.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    sendError(error, { request, response, log: parts.log });
  });
  return Router().use(PATH, router);
}

/** Authenticates the token. Wrong tokens are counted, and each token has a request limit. */
async function callerOf(request: Request, response: Response, deps: Deps): Promise<ScimCaller> {
  const { scimTokens, store, now, limits } = deps;
  const token = bearerToken(request);
  if (token === undefined)
    throw new AppError("UNAUTHENTICATED", "Send a SCIM token of the organization as a bearer token.");
  const tried = { address: limits.addressOf(request), secret: token };
  await limits.attempts.admitSecret(tried, response);
  const caller = await scimTokens.verify(store, token, now()).catch(async (error: unknown) => {
    await limits.attempts.wrongSecret(tried);
    throw error;
  });
  const tooMany = await limits.requests.ofToken(caller.tokenId, response);
  if (tooMany) throw tooMany;
  return caller;
}

interface Exchange {
  request: Request;
  response: Response;
}

/** Runs one operation. A write and its audit row share a transaction; the audit row of a read follows later. */
async function answer(operation: ScimOperation, { request, response }: Exchange, { config, deps }: Parts) {
  const caller = response.locals["scim"] as ScimCaller;
  const at = deps.now();
  const { store, newId } = deps;
  let [sent, sha256] = ["", ""];
  const row = (outcome: string): AuditRow => ({
    id: newId(),
    at,
    organizationId: caller.organizationId,
    workspaceId: null,
    userId: null,
    clientId: caller.tokenId,
    door: "scim",
    endpoint: operation.name,
    argumentsHash: hashOf([request.originalUrl, sha256]),
    scopes: "",
    confirmation: "none",
    costCredits: null,
    outcome,
    requestId: response.locals["requestId"] as string,
  });
  try {
    const takesBody = operation.method !== "GET" && operation.method !== "DELETE";
    if (takesBody) {
      const hold = deps.limits.bodies.open({ account: caller.tokenId }, response);
      ({ text: sent, sha256 } = await readBody({ request, response, hold }));
    }
    const body = takesBody ? parseJson(sent) : undefined;
    const query = operation.searches ? readSearch(body) : readQuery(queryIn(request));
    const call = { id: String(request.params["id"] ?? ""), query, body };
    const scim = (db: Db): Scim => ({
      tenant: { db, organizationId: caller.organizationId },
      base: config.baseUrl + PATH,
      now: at,
      newId,
      ifMatch: request.get("if-match"),
    });
    if (onlyReads(operation)) {
      const reply = await store.read((db) => operation.run(scim(db), call));
      deps.audit.add(row("ok"));
      return sendReply(reply, { request, response });
    }
    const reply = await store.write(async (db) => {
      const done = await operation.run(scim(db), call);
      const text = await textOf(done, caller, db);
      await insertAuditRows(db, [{ ...row("ok"), text }]);
      return done;
    });
    sendReply(reply, { request, response });
  } catch (error) {
    deps.audit.add(row(outcomeOf(error)));
    throw error;
  }
}

/** What was done to whom, and through which token of the organization: each of its directories has one. */
async function textOf({ done }: Reply, { tokenId }: ScimCaller, db: Db): Promise<string | null> {
  if (!done) return null;
  const template = `${done.what} {name} through SCIM token {scim_token_id}`;
  return entryText(template, { name: done.name }, await namesFor(template, { scim_token_id: tokenId }, db));
}

function sendReply({ status, body, resource }: Reply, { request, response }: Exchange): void {
  if (resource) response.set("etag", resource.meta.version);
  if (status === 201 && resource) response.set("location", resource.meta.location);
  const known = request.get("if-none-match");
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (resource && isRead && known !== undefined && namesVersion(known, resource.meta.version)) {
    response.status(304).end();
  } else send(response, status, body);
}

function send(response: Response, status: number, body: object | undefined): void {
  response.status(status).set("cache-control", "no-store");
  if (body === undefined) response.end();
  else response.set("content-type", "application/scim+json").end(JSON.stringify(body));
}

/** Discovery endpoints (RFC 7644 section 4), the same for every organization. */
function discovery(router: Router, { config }: Parts): void {
  const base = config.baseUrl + PATH;
  const provider = serviceProviderConfig(base, `${config.baseUrl}/docs`);
  router.get("/ServiceProviderConfig", (request, response) => {
    refuseFilter(request);
    send(response, 200, provider);
  });
  for (const [path, all, what] of [
    ["/ResourceTypes", resourceTypes(base), "resource type"],
    ["/Schemas", schemas(base), "schema"],
  ] as const) {
    router.get(path, (request, response) => {
      refuseFilter(request);
      send(response, 200, listResponse(all.length, windowOf({}), all));
    });
    router.get(`${path}/:id`, (request, response) => {
      const one = all.find(({ id }) => id === request.params["id"]);
      if (!one) throw notFound(what);
      send(response, 200, one);
    });
  }
}

function refuseFilter(request: Request): void {
  if (queryIn(request).has("filter"))
    throw new AppError("FORBIDDEN", "This endpoint does not support filters. Send the request without one.");
}

/** Rejects unsupported methods, unsupported features of the protocol, and unknown paths. */
function rejectOthers(router: Router): void {
  const readOnly = ["/ServiceProviderConfig", "/ResourceTypes", "/ResourceTypes/:id", "/Schemas", "/Schemas/:id"];
  const methods = new Map<string, string[]>(readOnly.map((path) => [path, ["GET"]]));
  for (const { path, method } of operations) methods.set(path, [...(methods.get(path) ?? []), method]);
  for (const [path, known] of methods) {
    const allow = [...known, ...(known.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    router.all(path, (request, response) => {
      response.set("allow", allow);
      if (request.method !== "OPTIONS") throw new AppError("METHOD_NOT_ALLOWED", `This endpoint supports ${allow}.`);
      response.status(204).end();
    });
  }
  router.all(["/Me{/*rest}", "/Bulk", "/.search"], () => {
    throw new AppError("NOT_IMPLEMENTED", "Not supported. GET /ServiceProviderConfig lists the supported features.");
  });
  router.use(() => {
    throw new AppError("NOT_FOUND", "Not found. GET /ResourceTypes lists the endpoints.");
  });
}

/** Sends an error in the format of RFC 7644 section 3.12. */
function sendError(thrown: unknown, { request, response, log }: Exchange & { log: Logger }): void {
  const requestId = response.locals["requestId"] as string;
  const error = asAppError(thrown, requestId);
  if (error.status >= 500) log.error({ err: thrown, requestId, path: request.path }, "SCIM request failed");
  else log.debug({ err: thrown, requestId }, "SCIM request rejected");
  if (error.status === 401) {
    const sent = request.headers.authorization !== undefined;
    response.set("www-authenticate", sent ? 'Bearer error="invalid_token"' : "Bearer");
  }
  if (error.status === 413) response.set("connection", "close");
  if (error.retryAfterSeconds !== undefined) response.set("retry-after", String(error.retryAfterSeconds));
  send(response, error.status, errorMessage(error));
}

function asAppError(thrown: unknown, requestId: string): AppError {
  if (thrown instanceof URIError) return new AppError("NOT_FOUND", "The URL is not valid percent-encoding.");
  const { code, message, status } = errorBody(thrown, requestId);
  if (thrown instanceof AppError) return thrown;
  return new AppError(code, status === 500 ? `${message} Request ${requestId}.` : message);
}
