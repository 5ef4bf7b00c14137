import { LRUCache } from "lru-cache";
import { parseJson } from "../../core/shared/json.ts";
export type Fetch = typeof globalThis.fetch;

const FAILURE_CACHE_MS = 30_000;
const MAX_CACHED_DOCUMENTS = 200;

const buildPinnedDocument = (clientId: string, name: string, redirects: string[]) =>
  [
    clientId,
    JSON.stringify({
      client_id: clientId,
      client_name: name,
      client_uri: "https://claude.ai",
      redirect_uris: redirects,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }),
  ] as const;

/** Copies of client metadata documents whose hosts block some networks. */
const PINNED_DOCUMENTS_BY_URL: ReadonlyMap<string, string> = new Map([
  buildPinnedDocument("https://claude.ai/oauth/mcp-oauth-client-metadata", "Claude", [
    "https://claude.ai/api/mcp/auth_callback",
  ]),
  buildPinnedDocument("https://claude.ai/oauth/claude-code-client-metadata", "Claude Code", [
    "http://localhost/callback",
    "http://127.0.0.1/callback",
  ]),
]);

/**
 * Serves the current document, else the last good copy, else a pinned copy. Failures are cached for
 * 30 s: oidc-provider asks twice per request.
 */
export function createClientDocumentFetch(ask: Fetch, now: () => number): Fetch {
  const good = new LRUCache<string, string>({ max: MAX_CACHED_DOCUMENTS });
  const failedAt = new LRUCache<string, number>({ max: MAX_CACHED_DOCUMENTS });
  return async (address, init) => {
    const url = address instanceof Request ? address.url : String(address);
    // The absolute difference handles a clock that was set back.
    const hasJustFailed = Math.abs(now() - (failedAt.get(url) ?? -Infinity)) < FAILURE_CACHE_MS;
    try {
      if (hasJustFailed) throw new Error("the document could not be fetched within the last 30 seconds");
      // `init` carries the library's guard against internal addresses and must be passed on.
      const response = await ask(url, init);
      const text = await readDocument(response);
      failedAt.delete(url);
      good.set(url, text);
      return createDocumentResponse(text, response.headers.get("cache-control"));
    } catch (error) {
      if (!hasJustFailed) failedAt.set(url, now());
      const copy = good.get(url) ?? PINNED_DOCUMENTS_BY_URL.get(url);
      if (copy === undefined) throw error;
      return createDocumentResponse(copy, "max-age=300");
    }
  };
}

/** Rejects URLs that cannot serve a public document, before any connection is made. */
export function isPublicDocumentAddress(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false;
  const { hostname, protocol } = new URL(clientId);
  const isName = /[a-z]/.test(hostname.split(".").at(-1) ?? "") && !hostname.startsWith("[");
  return (
    protocol === "https:" && isName && hostname.includes(".") && !/\.(?:local|localhost|internal)\.?$/.test(hostname)
  );
}

async function readDocument(response: Response): Promise<string> {
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`the document returned status ${response.status}`);
  }
  const text = await response.text();
  parseJson(text);
  return text;
}

function createDocumentResponse(text: string, cacheControl: string | null): Response {
  return new Response(text, {
    headers: { "content-type": "application/json", "cache-control": cacheControl ?? "max-age=60" },
  });
}
