import type { IncomingMessage } from "node:http";
import {
  type FetchOptions,
  type ResponseInfo,
  type SkipReason,
  type SkippedFetch,
  toSkippedFetch,
} from "../../../core/audits/crawler.ts";
import type { PageHeaders } from "../../../core/audits/fetched-page.ts";
import { type Guard, InvalidResponse, TlsFailed, RejectedAddress } from "../guard.ts";
import { withTimeLimit } from "../http.ts";
import { retryWaitMs } from "../retry-hints.ts";
import type { HostQueues } from "./host-queues.ts";
import { ACCEPTED_CODINGS, UnknownCoding } from "./read-body.ts";

const REJECTION_REASONS = {
  scheme: "scheme_refused",
  credentials: "credentials_refused",
  port: "port_refused",
  address: "address_refused",
} as const;

/** Node.js and c-ares; a prefix covers a family of codes. */
const REASONS_BY_CODE: readonly [code: RegExp, SkipReason][] = [
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

function toSkipReason(error: unknown): SkipReason {
  if (error instanceof RejectedAddress) return REJECTION_REASONS[error.rejection];
  if (error instanceof TlsFailed) return "not_secure";
  if (error instanceof UnknownCoding) return "content_encoding";
  if (error instanceof InvalidResponse) return "response_invalid";
  if (error instanceof Error && error.name === "TimeoutError") return "timeout";
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  const known = REASONS_BY_CODE.find(([pattern]) => pattern.test(code))?.[1];
  if (known === undefined) throw error;
  return known;
}

/** Waiting for a host's slot does not count. */
export interface FetchLimits {
  connectMs: number;
  /** Counts from the connection to the first byte of the response. */
  responseMs: number;
  /** Covers all redirects together, to the last byte. */
  totalMs: number;
  limitBytes: number;
}

export interface FetchDeps {
  guard: Guard;
  hostQueues: HostQueues;
  userAgent: string;
  limits: FetchLimits;
}

export interface FetchRequest extends FetchOptions {
  accept: string;
}

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** Each redirect takes a slot of its host. Always closes the connection. */
export async function followRedirects<T>(
  address: string,
  request: FetchRequest,
  { guard, hostQueues, userAgent, limits }: FetchDeps,
  read: (incoming: IncomingMessage, fetched: ResponseInfo) => Promise<T>,
): Promise<T | ({ kind: "not_modified" } & ResponseInfo) | SkippedFetch> {
  const { signal, delayMs } = request;
  const headers = buildRequestHeaders(request, userAgent);
  const redirects: { url: string; status: number; to: string }[] = [];
  let leftMs = limits.totalMs;

  const hop = async (url: URL) => {
    const beganMs = performance.now();
    try {
      return await withTimeLimit(leftMs, signal, async (limit) => {
        const { connectMs, responseMs: answerMs } = limits;
        const incoming = await guard.request(url, { headers, connectMs, responseMs: answerMs, signal: limit });
        try {
          const to = findRedirect(incoming);
          if (to !== undefined) return { to };
          const responseMs = Math.round(performance.now() - beganMs);
          const fetched = { url: address, finalUrl: url.href, redirects, responseMs, ...parseHead(incoming) };
          const isSame = fetched.status === 304;
          return { done: isSame ? ({ kind: "not_modified", ...fetched } as const) : await read(incoming, fetched) };
        } finally {
          incoming.destroy();
        }
      });
    } finally {
      leftMs = Math.max(leftMs - (performance.now() - beganMs), 1);
    }
  };

  try {
    const visited = new Set<string>();
    let url = parse(address);
    for (;;) {
      if (url === undefined) return toSkippedFetch(redirects.length === 0 ? "address_invalid" : "redirect_invalid");
      url.hash = "";
      if (visited.has(url.href)) return toSkippedFetch("redirect_loop");
      visited.add(url.href);
      if (redirects.length > MAX_REDIRECTS) return toSkippedFetch("too_many_redirects");
      if (redirects.length > 0 && !(await mayFollow(url, request))) return toSkippedFetch("redirect_disallowed");
      const at: URL = url;
      const answer = await hostQueues.run(at.hostname, { delayMs, signal }, () => hop(at));
      if ("done" in answer) return answer.done;
      url = parse(answer.to.location, at);
      redirects.push({ url: at.href, status: answer.to.status, to: url?.href ?? "" });
    }
  } catch (error) {
    signal?.throwIfAborted();
    return toSkippedFetch(toSkipReason(error));
  }
}

async function mayFollow({ href, protocol }: URL, request: FetchRequest): Promise<boolean> {
  return !request.isAllowedRedirect || !protocol.startsWith("http") || (await request.isAllowedRedirect(href));
}

function buildRequestHeaders(request: FetchRequest, userAgent: string): Record<string, string> {
  const { etag, lastModified } = request;
  return {
    "user-agent": request.userAgent ?? userAgent,
    accept: request.accept,
    "accept-encoding": ACCEPTED_CODINGS,
    "accept-language": "*",
    // Stored validators are untrusted, so invalid header text is dropped.
    ...(etag && isHeaderText(etag) ? { "if-none-match": etag } : {}),
    ...(lastModified && isHeaderText(lastModified) ? { "if-modified-since": lastModified } : {}),
  };
}

function isHeaderText(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]{1,1000}$/.test(value);
}

function findRedirect({ statusCode = 0, headers }: IncomingMessage): { location: string; status: number } | undefined {
  const { location } = headers;
  if (!REDIRECT_STATUSES.has(statusCode) || location === undefined) return undefined;
  // Non-ASCII header bytes are UTF-8 (RFC 9110 section 5.5; browsers agree).
  return { location: Buffer.from(location, "latin1").toString("utf8"), status: statusCode };
}

function parse(address: string, base?: URL): URL | undefined {
  return URL.canParse(address, base?.href) ? new URL(address, base) : undefined;
}

function parseHead({ statusCode = 0, headers, headersDistinct }: IncomingMessage) {
  const forHints = new Headers();
  const retryAfter = headers["retry-after"];
  if (retryAfter !== undefined && isHeaderText(retryAfter)) forHints.set("retry-after", retryAfter);
  const found: PageHeaders = {
    contentType: headers["content-type"] ?? null,
    xRobotsTag: headersDistinct["x-robots-tag"] ?? [],
    link: headersDistinct["link"] ?? [],
    contentLanguage: headers["content-language"] ?? null,
    cacheControl: headers["cache-control"] ?? null,
    etag: headers.etag ?? null,
    lastModified: headers["last-modified"] ?? null,
  };
  return {
    status: statusCode,
    headers: found,
    retryAfterMs: retryWaitMs({ status: statusCode, headers: forHints, text: "" }, Date.now()),
  };
}
