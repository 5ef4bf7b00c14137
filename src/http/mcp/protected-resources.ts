import { isOpenPage } from "./features/resources.ts";
import { FIND_TOOLS_NAME } from "./tools/essentials.ts";
import { isFields } from "./tools/shown-fields.ts";
import { findToolResource, type ToolResource } from "../../../auth/oauth/tool-resources.ts";
import type { Scope } from "../../../core/identity/roles.ts";

/** Methods open before sign-in: server description and listings, nothing of an organization. */
const OPEN_METHODS: ReadonlySet<unknown> = new Set([
  "initialize",
  "server/discover",
  "ping",
  "logging/setLevel",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "skills/list",
  "skills/get",
  "notifications/initialized",
]);

export function needsSignIn(body: unknown): boolean {
  if (Array.isArray(body)) return body.length === 0 || body.some((message) => needsSignIn(message));
  if (typeof body !== "object" || body === null || !("method" in body)) return true;
  return !OPEN_METHODS.has(body.method) && !isOpenPageRead(body) && !isToolSearch(body);
}

/** The search of tools returns parts of their list, which is open. */
function isToolSearch({ method, params }: object & { method: unknown; params?: unknown }): boolean {
  return method === "tools/call" && isFields(params) && params["name"] === FIND_TOOLS_NAME;
}

function isOpenPageRead(message: object & { method: unknown; params?: unknown }): boolean {
  const { method, params } = message;
  if (method !== "resources/read" || typeof params !== "object" || params === null) return false;
  return "uri" in params && isOpenPage(params.uri);
}

/** A protected resource, with the challenges sent to clients without a valid token. */
export interface ProtectedResource extends ToolResource {
  /** RFC 6750 section 3.1: no error code without credentials. */
  challenge: { noToken: string; badToken: string; missingScopes: (scopes: readonly Scope[]) => string };
}

/** Protected resource at an address; undefined for other addresses. */
export function findProtectedResource(
  mcpUrl: string,
  url: string,
  scopes: readonly Scope[],
): ProtectedResource | undefined {
  const resource = findToolResource(mcpUrl, url);
  if (!resource) return undefined;
  const { origin, pathname } = new URL(resource.url);
  const about = (needed: readonly Scope[]) =>
    `resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}", scope="${needed.join(" ")}"`;
  return {
    ...resource,
    challenge: {
      noToken: `Bearer ${about(scopes)}`,
      badToken: `Bearer error="invalid_token", error_description="The access token is expired, revoked, or not for this server", ${about(scopes)}`,
      missingScopes: (missing) =>
        `Bearer error="insufficient_scope", error_description="The access token lacks a scope of the called tool", ${about(missing)}`,
    },
  };
}
