import { isOpenPage } from "./features/resources.ts";
import { FIND_TOOLS_NAME } from "./tools/essentials.ts";
import { isFields } from "./tools/shown-fields.ts";
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

/** A protected resource: its address, and the challenges sent to clients without a valid token. */
export interface ProtectedResource {
  path: string;
  alwaysRequiresSignIn: boolean;
  /** RFC 6750 section 3.1: no error code without credentials. */
  challenge: { noToken: string; badToken: string; missingScopes: (scopes: readonly Scope[]) => string };
}

/** The server's address, and an alternative for clients that can only sign in at the start. */
export function listProtectedResources(mcpUrl: string, scopes: readonly Scope[]): ProtectedResource[] {
  return [mcpUrl, `${mcpUrl}/connect`].map((address) => {
    const { origin, pathname } = new URL(address);
    const about = (needed: readonly Scope[]) =>
      `resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}", scope="${needed.join(" ")}"`;
    return {
      path: pathname,
      alwaysRequiresSignIn: address !== mcpUrl,
      challenge: {
        noToken: `Bearer ${about(scopes)}`,
        badToken: `Bearer error="invalid_token", error_description="The access token is expired, revoked, or not for this server", ${about(scopes)}`,
        missingScopes: (missing) =>
          `Bearer error="insufficient_scope", error_description="The access token lacks a scope of the called tool", ${about(missing)}`,
      },
    };
  });
}
