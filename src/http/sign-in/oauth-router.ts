import { Router, type Request, type Response, type NextFunction } from "express";
import type { Provider } from "oidc-provider";
import { findToolResource } from "../../../auth/oauth/tool-resources.ts";
import { listToolScopes } from "../../../tools/endpoint.ts";
import { endpoints } from "../../../tools/index.ts";
import { OPEN_BODY_LIMIT_BYTES, readText } from "../body.ts";
import { countFailures, sendOAuthError } from "../pages/failures.ts";
import type { Limits } from "../../limits/open-limits.ts";
import { PRODUCT_NAME } from "../pages/page.ts";
import type { WebContext } from "../pages/visit.ts";

const METADATA = "/.well-known/oauth-protected-resource";

export function createOauthRouter(web: WebContext): Router {
  const { config, authorizationServer, deps } = web;
  const router = Router();
  const { baseUrl, mcpUrl } = config;
  const { origin } = new URL(mcpUrl);
  router.use([METADATA, "/oauth/register"], allowBrowserClients);
  router.get(METADATA, (_request, response) => sendMetadata(response, mcpUrl, baseUrl));
  router.get(`${METADATA}/*path`, (request, response, next) => {
    const resource = findToolResource(mcpUrl, origin + request.path.slice(METADATA.length).replace(/\/$/, ""));
    if (resource) sendMetadata(response, resource.url, baseUrl);
    else next();
  });
  router.post("/oauth/register", async (request, response, next) => {
    await deps.limits.registration(deps.limits.addressOf(request), response);
    next();
  });
  router.post("/oauth/token", countFailures(web));

  const { host, protocol } = new URL(baseUrl);
  const served = /^\/oauth\/|^\/\.well-known\/(?:openid-configuration|oauth-authorization-server)$/;
  router.use(async (request, response, next) => {
    if (!served.test(request.path)) return next();
    // The library builds URLs from forwarding headers, so a caller must not choose them.
    delete request.headers["x-forwarded-host"];
    request.headers["x-forwarded-proto"] = protocol.slice(0, -1);
    request.headers.host = host;
    if (request.method === "POST") await readBodyAhead(request, response, deps.limits);
    void getListener(await authorizationServer())(request, response);
  });
  router.use("/oauth", sendOAuthError);
  return router;
}

/** Applies the deadlines and bounds of every body, then passes the bytes to the library. */
async function readBodyAhead(request: Request, response: Response, limits: Limits): Promise<void> {
  const hold = limits.bodies.open({ address: limits.addressOf(request) }, response);
  const { text } = await readText({ request, response, hold }, OPEN_BODY_LIMIT_BYTES);
  const bytes = Buffer.from(moveClientId(request, text));
  if (request.headers["content-length"] !== undefined) request.headers["content-length"] = String(bytes.length);
  Object.defineProperties(request, { readable: { value: true }, iterator: { value: () => [bytes] } });
}

/**
 * Moves the client id from a Basic header with an empty secret to the form: some public clients
 * send that header (RFC 6749 section 2.3.1), which the library rejects.
 */
function moveClientId(request: Request, form: string): string {
  const credentials = /^Basic (\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const encodedId = /^(.+):$/.exec(Buffer.from(credentials, "base64").toString())?.[1];
  if (encodedId === undefined || !request.is("application/x-www-form-urlencoded")) return form;
  const fields = new URLSearchParams(`client_id=${encodedId}`);
  const sentId = new URLSearchParams(form).get("client_id");
  if (sentId !== null && sentId !== fields.get("client_id")) return form;
  delete request.headers.authorization;
  return sentId === null ? `${form}&${fields.toString()}` : form;
}

const listenerByProvider = new WeakMap<Provider, ReturnType<Provider["callback"]>>();

/** Memoised: creating it assembles all of the library's middleware. */
function getListener(provider: Provider): ReturnType<Provider["callback"]> {
  let listener = listenerByProvider.get(provider);
  if (!listener) listenerByProvider.set(provider, (listener = provider.callback()));
  return listener;
}

/** RFC 9728. Lists only the scopes that tools need, so that clients request no others. */
function sendMetadata(response: Response, resource: string, issuer: string): void {
  response.set("cache-control", "max-age=300").json({
    resource,
    authorization_servers: [issuer],
    scopes_supported: listToolScopes(endpoints),
    bearer_methods_supported: ["header"],
    resource_name: PRODUCT_NAME,
  });
}

/** Allows CORS for clients in a browser; these endpoints read no cookies. */
function allowBrowserClients(request: Request, response: Response, next: NextFunction): void {
  response.set({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "authorization, content-type, mcp-protocol-version",
    "access-control-expose-headers": "www-authenticate",
    "access-control-max-age": "600",
  });
  if (request.method === "OPTIONS") response.status(204).end();
  else next();
}
