import type { SkipReason } from "../../../core/audit/crawler.ts";
import { NotSecure, RefusedAddress, InvalidAnswer } from "../guard.ts";
import { UnknownCoding } from "./read-body.ts";

const REFUSALS = {
  scheme: "scheme_refused",
  credentials: "credentials_refused",
  port: "port_refused",
  address: "address_refused",
} as const;

/** Codes of Node.js and of c-ares, with what they begin with where there are many. */
const REASONS: readonly [code: RegExp, SkipReason][] = [
  [/^(?:ENOTFOUND|ENODATA|EBADNAME)$/, "name_not_found"],
  [
    /^(?:ESERVFAIL|EREFUSED|ETIMEOUT|EBADRESP|EFORMERR|ENOTIMP|EAI_\w+|ENOTINITIALIZED|ECANCELLED)$/,
    "name_not_resolved",
  ],
  [
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN|EACCES|EINVAL)$/,
    "connection_failed",
  ],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/, "connection_lost"],
  [/^HPE_HEADER_OVERFLOW$/, "headers_too_large"],
  [/^HPE_/, "response_invalid"],
  [/^(?:Z_|ERR__?ERROR|ERR_BROTLI|ERR_ZSTD|ZSTD_|ERR_ZLIB)/, "content_encoding"],
  [/^(?:ERR_SSL|ERR_TLS|EPROTO)/, "not_secure"],
];

/** Why a request failed, for those to whom its address matters. Rethrows what is a fault of ours. */
export function reasonOf(error: unknown): SkipReason {
  if (error instanceof RefusedAddress) return REFUSALS[error.refusal];
  if (error instanceof NotSecure) return "not_secure";
  if (error instanceof UnknownCoding) return "content_encoding";
  if (error instanceof InvalidAnswer) return "response_invalid";
  if (error instanceof Error && error.name === "TimeoutError") return "timeout";
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  const known = REASONS.find(([pattern]) => pattern.test(code))?.[1];
  if (known === undefined) throw error;
  return known;
}
