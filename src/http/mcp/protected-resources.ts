import { isOpenPage } from "./features/resources.ts";
import type { Scope } from "../../../core/identity/roles.ts";

/** Open before sign-in: what this server is and has. Nothing that belongs to an organization. */
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

/** True where a body asks for more than is open. Each message of a batch counts; what is no message counts too. */
export function needsSignIn(body: unknown): boolean {
  if (Array.isArray(body)) return body.length === 0 || body.some((message) => needsSignIn(message));
  if (typeof body !== "object" || body === null || !("method" in body)) return true;
  return !OPEN_METHODS.has(body.method) && !readsOpenPage(body);
}

/** The pages of the documentation are public. */
function readsOpenPage(message: object & { method: unknown; params?: unknown }): boolean {
  const { method, params } = message;
  if (method !== "resources/read" || typeof params !== "object" || params === null) return false;
  return "uri" in params && isOpenPage(params.uri);
}

/** One protected resource: its address, and how a client without a good token is told to get one. */
export interface ProtectedResource {
  path: string;
  /** True where even the first request needs a token. */
  eager: boolean;
  /** RFC 6750 section 3.1: no error code where no credentials were sent. */
  challenge: { noToken: string; badToken: string };
}

/** The tool server's address and its twin for clients that cannot sign in halfway. */
export function resourcesAt(mcpUrl: string, scopes: readonly Scope[]): ProtectedResource[] {
  return [mcpUrl, `${mcpUrl}/connect`].map((address) => {
    const { origin, pathname } = new URL(address);
    const about = `resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}", scope="${scopes.join(" ")}"`;
    return {
      path: pathname,
      eager: address !== mcpUrl,
      challenge: {
        noToken: `Bearer ${about}`,
        badToken: `Bearer error="invalid_token", error_description="The access token is expired, revoked, or not for this server", ${about}`,
      },
    };
  });
}
