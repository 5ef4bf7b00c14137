import { errors } from "./oidc-provider.ts";
import { isNativeRedirect } from "./redirects.ts";

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);
const GRANT_TYPES = new Set<unknown>(["authorization_code", "refresh_token"]);
/** Schemes that a browser would run or display instead of passing to a program. */
const REJECTED_SCHEMES = new Set([
  "about:",
  "blob:",
  "data:",
  "file:",
  "filesystem:",
  "ftp:",
  "javascript:",
  "mailto:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:",
]);

/**
 * Accepts variations of real clients without loosening checks. Mutates `metadata`, which the
 * library validates next.
 */
export function normaliseClientMetadata(metadata: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(metadata)) {
    if (value === null || value === "") delete metadata[key];
  }
  if (Array.isArray(metadata["grant_types"])) {
    const known = metadata["grant_types"].filter((type) => GRANT_TYPES.has(type));
    metadata["grant_types"] = known.length > 0 ? known : ["authorization_code"];
  }
  metadata["response_types"] = ["code"];
  metadata["id_token_signed_response_alg"] = "ES256";
  // The library adds a secret to a registration that names no method; this server's default is none.
  metadata["token_endpoint_auth_method"] ??= "none";
  if (metadata["token_endpoint_auth_method"] === "none") {
    delete metadata["client_secret"];
    delete metadata["client_secret_expires_at"];
  }
  // A registered scope would prevent the client from requesting more later.
  delete metadata["scope"];
  const redirects = parseRedirectUris(metadata);
  for (const { protocol, hostname } of redirects) {
    if (REJECTED_SCHEMES.has(protocol)) {
      throw new errors.InvalidClientMetadata("redirect_uris must be https, loopback http, or a private-use scheme");
    }
    if (protocol === "http:" && !LOOPBACK_HOSTS.has(hostname)) {
      throw new errors.InvalidClientMetadata("redirect_uris must use https unless they are loopback addresses");
    }
  }
  // Clients omit application_type; "web" would reject private schemes and pin the loopback port.
  if (redirects.some(isNativeRedirect)) metadata["application_type"] = "native";
}

function parseRedirectUris(metadata: Record<string, unknown>): URL[] {
  const uris = metadata["redirect_uris"];
  if (!Array.isArray(uris)) return [];
  return uris.filter((uri) => typeof uri === "string" && URL.canParse(uri)).map((uri: string) => new URL(uri));
}
