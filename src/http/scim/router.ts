import type { Request, RequestHandler, Response } from "express";
import type { ScimCaller } from "../../../auth/sso/scim-tokens.ts";
import { insertAuditRows, type AuditRow } from "../../../db/audit-log/audit.ts";
import { formatEntryText, findEntryNames } from "../../../db/audit-log/entry-text.ts";
import type { Db } from "../../../db/engine/store.ts";
import { readBearerToken } from "../../../auth/oauth/access-tokens.ts";
import { hashSorted, toOutcome } from "../../call/audit.ts";
import type { Config } from "../../config/config.ts";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import type { Deps } from "../../call/deps.ts";
import { listResourceTypes, listSchemas, buildServiceProviderConfig } from "./discovery.ts";
import { parseQuery } from "../body.ts";
import { rejectMethod } from "../respond.ts";
import { openRouteTable } from "../rest/route-table.ts";
import { isScimPath, listResponse, SCIM_PATH, readWindow } from "./messages.ts";
import { isReadOnly, SCIM_OPERATIONS, type Reply, type ScimOperation } from "./operations.ts";
import { parseJson, readBody, readQuery, readSearch } from "./request.ts";
import { matchesVersion, type ScimContext } from "./scim.ts";

interface ScimDependencies {
  config: Config;
  deps: Deps;
}

export function createScimHandler(parts: ScimDependencies): RequestHandler {
  const table = openRouteTable([
    ...SCIM_OPERATIONS.map((operation) => ({
      ...operation,
      value: (exchange: ScimExchange) => handleRequest(operation, exchange, parts),
    })),
    ...createScimDiscoveryRoutes(parts.config),
  ]);
  return async (request, response, next) => {
    if (!isScimPath(request.path)) return next();
    const caller = await authenticate(request, response, parts.deps);
    const path = request.path.slice(SCIM_PATH.length);
    const found = table.findRoute(request.method, path);
    if (found && "value" in found) return found.value({ request, response, caller, id: found.getParams()["id"] ?? "" });
    if (found) return rejectMethod(found.allow, request, response);
    if (UNSUPPORTED_PATH_PATTERN.test(path)) {
      throw new AppError("NOT_IMPLEMENTED", "Not supported. GET /ServiceProviderConfig lists the supported features.");
    }
    throw new AppError("NOT_FOUND", "Not found. GET /ResourceTypes lists the endpoints.");
  };
}

const UNSUPPORTED_PATH_PATTERN = /^\/(?:Me(?:\/.*)?|Bulk\/?|\.search\/?)$/;

async function authenticate(request: Request, response: Response, deps: Deps): Promise<ScimCaller> {
  const { scimTokens, store, now, limits } = deps;
  const token = readBearerToken(request);
  if (token === undefined)
    throw new AppError("UNAUTHENTICATED", "Send a SCIM token of the organization as a bearer token.");
  const tried = { address: limits.addressOf(request), secret: token };
  await limits.attempts.admitSecret(tried, response);
  const caller = await scimTokens.verify(store, token, now()).catch(async (error: unknown) => {
    await limits.attempts.wrongSecret(tried);
    throw error;
  });
  const tooMany = await limits.requests.countByToken(caller.tokenId, response);
  if (tooMany) throw tooMany;
  return caller;
}

interface ScimExchange {
  request: Request;
  response: Response;
  caller: ScimCaller;
  id: string;
}

async function handleRequest(
  operation: ScimOperation,
  { request, response, caller, id }: ScimExchange,
  { config, deps }: ScimDependencies,
) {
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
    argumentsHash: hashSorted([request.originalUrl, sha256]),
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
    const query = operation.isSearch ? readSearch(body) : readQuery(parseQuery(request.url));
    const call = { id, query, body };
    const scim = (db: Db): ScimContext => ({
      tenant: { db, organizationId: caller.organizationId },
      baseUrl: config.baseUrl + SCIM_PATH,
      now: at,
      newId,
      ifMatch: request.get("if-match"),
    });
    if (isReadOnly(operation)) {
      const reply = await store.read((db) => operation.run(scim(db), call));
      deps.audit.add(row("ok"));
      return sendReply(reply, { request, response });
    }
    const reply = await store.write(async (db) => {
      const done = await operation.run(scim(db), call);
      const text = await formatAuditText(done, caller, db);
      await insertAuditRows(db, [{ ...row("ok"), text }]);
      return done;
    });
    sendReply(reply, { request, response });
  } catch (error) {
    deps.audit.add(row(toOutcome(error)));
    throw error;
  }
}

async function formatAuditText({ done }: Reply, { tokenId }: ScimCaller, db: Db): Promise<string | null> {
  if (!done) return null;
  const template = `${done.action} {name} through SCIM token {scim_token_id}`;
  return formatEntryText(template, { name: done.name }, await findEntryNames(template, { scim_token_id: tokenId }, db));
}

function sendReply(
  { status, body, resource }: Reply,
  { request, response }: Pick<ScimExchange, "request" | "response">,
) {
  if (resource) response.set("etag", resource.meta.version);
  if (status === 201 && resource) response.set("location", resource.meta.location);
  const known = request.get("if-none-match");
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (resource && isRead && known !== undefined && matchesVersion(known, resource.meta.version)) {
    response.status(304).end();
  } else send(response, status, body);
}

function send(response: Response, status: number, body: object | undefined): void {
  response.status(status).set("cache-control", "no-store");
  if (body === undefined) response.end();
  else response.set("content-type", "application/scim+json").end(JSON.stringify(body));
}

function createScimDiscoveryRoutes({ baseUrl }: Config) {
  const base = baseUrl + SCIM_PATH;
  const provider = buildServiceProviderConfig(base, `${baseUrl}/docs`);
  const lists = [
    ["/ResourceTypes", listResourceTypes(base), "resource type"],
    ["/Schemas", listSchemas(base), "schema"],
  ] as const;
  return [
    createDiscoveryRoute("/ServiceProviderConfig", () => provider),
    ...lists.flatMap(([path, all, noun]) => [
      createDiscoveryRoute(path, () => listResponse(all.length, readWindow({}), all)),
      createDiscoveryRoute(`${path}/:id`, (id) => {
        const one = all.find((resource) => resource.id === id);
        if (!one) throw notFound(noun);
        return one;
      }),
    ]),
  ];
}

function createDiscoveryRoute(path: string, bodyOf: (id: string) => object) {
  const value = async ({ request, response, id }: ScimExchange) => {
    if (parseQuery(request.url).has("filter"))
      throw new AppError("FORBIDDEN", "This endpoint does not support filters. Send the request without one.");
    send(response, 200, bodyOf(id));
  };
  return { method: "GET", path, value };
}
