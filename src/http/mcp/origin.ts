import type { IncomingMessage, ServerResponse } from "node:http";

const EXPOSED =
  "WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy";

/** Decides which browser origins may talk to the tool server, and tells browsers so. */
export interface Origins {
  /** False for a page of another site (2026-07-28, basic/transports: Origin must be checked). */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** Answers a browser's question before the request itself. */
  preflight(request: IncomingMessage, response: ServerResponse): void;
}

/** Our own addresses, what the configuration names (`*` for any), and pages served by this very machine. */
export function openOrigins(own: readonly string[], configured: readonly string[]): Origins {
  const allowed = new Set([...own.map((address) => new URL(address).origin), ...configured]);
  const onThisMachine = own.some((address) => isLoopback(new URL(address).hostname));
  return {
    admit(request, response) {
      const { origin } = request.headers;
      if (origin === undefined) return true;
      if (!allowed.has(origin) && !allowed.has("*") && !(onThisMachine && isLoopbackOrigin(origin))) return false;
      response.setHeader("access-control-allow-origin", origin);
      response.setHeader("vary", "Origin");
      response.setHeader("access-control-expose-headers", EXPOSED);
      return true;
    },
    preflight(request, response) {
      response.setHeader("access-control-allow-methods", "POST, GET, DELETE, OPTIONS");
      const wanted = request.headers["access-control-request-headers"];
      if (wanted !== undefined) response.setHeader("access-control-allow-headers", wanted);
      response.setHeader("access-control-max-age", "600");
      response.writeHead(204).end();
    },
  };
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
