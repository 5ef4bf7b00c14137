import type { FetchedPage, PageHeaders } from "./fetched-page.ts";

/** Fetches tenant-named sites through the network guard, one request at a time per host. */
export interface Crawler {
  /** Its first word is the crawler's token in robots.txt. */
  userAgent: string;
  /** Rejects only when `signal` aborts. */
  fetchPage(url: string, options?: FetchOptions): Promise<PageOutcome>;
  /** Fetches short text such as robots.txt, decompressing gzip files. Rejects like `fetchPage`. */
  fetchText(url: string, options?: FetchOptions & { limitBytes?: number }): Promise<TextOutcome>;
  /** Fetches a file such as a sitemap, up to 50 MB, without decoding it. */
  fetchFile(url: string, options?: FetchOptions & { limitBytes?: number }): Promise<FileOutcome>;
  /** The browser reaches only public addresses. Undefined if no browser is configured. */
  renderPage: ((url: string, options?: RenderOptions) => Promise<RenderOutcome>) | undefined;
}

export interface FetchOptions {
  userAgent?: string;
  /** Validators of an earlier response; an unchanged page gives `not_modified`. */
  etag?: string | null;
  lastModified?: string | null;
  /** Between requests to a host, max MAX_CRAWL_DELAY_MS. */
  delayMs?: number;
  /** Called before each redirect, since robots.txt may disallow the target. */
  isAllowedRedirect?: (url: string) => boolean | Promise<boolean>;
  signal?: AbortSignal;
}

export interface RenderOptions {
  userAgent?: string;
  signal?: AbortSignal;
}

export const MAX_CRAWL_DELAY_MS = 30_000;

/** Shown to users; reasons quote no input. */
export const SKIP_REASONS = {
  address_invalid: "The address is not a valid web address.",
  address_refused: "The address is not on the public internet.",
  scheme_refused: "The address is neither http nor https.",
  credentials_refused: "The address holds a user name or a password.",
  port_refused: "The port of the address is not one of the web.",
  name_not_found: "The host does not exist.",
  name_not_resolved: "The host's name could not be resolved.",
  connection_failed: "The host could not be connected to.",
  connection_lost: "The host ended the connection before the answer was complete.",
  not_secure: "The secure connection failed: the host's certificate or protocol is not trusted.",
  timeout: "The host did not answer within the time limit.",
  response_invalid: "The answer is not valid HTTP.",
  headers_too_large: "The headers of the answer are too large.",
  redirect_invalid: "The page redirects to an address that is not valid.",
  redirect_loop: "The page redirects in a circle.",
  too_many_redirects: "The page redirects more than 5 times.",
  redirect_disallowed:
    "The page redirects to an address that robots.txt does not allow, or whose robots.txt could not be read.",
  content_encoding: "The answer is compressed in a way that was not asked for, or not correctly.",
  not_html: "The answer is not HTML.",
  too_slow: "The answer takes too long to read.",
  browser_failed: "The browser did not start, or ended.",
  page_too_large: "The rendered page is too large.",
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;

export interface SkippedFetch {
  kind: "skipped";
  reason: SkipReason;
  message: string;
  /** Response that is not HTML; address checks can use it. */
  answer?: FetchedPage;
}

export interface ResponseInfo extends Pick<FetchedPage, "url" | "finalUrl" | "redirects" | "status" | "responseMs"> {
  headers: PageHeaders;
  /** From Retry-After. */
  retryAfterMs: number | undefined;
}

export type PageOutcome =
  | { kind: "page"; page: FetchedPage; retryAfterMs: number | undefined }
  | ({ kind: "not_modified" } & ResponseInfo)
  | SkippedFetch;

export type TextOutcome =
  | ({ kind: "text"; text: string; bytes: number; isTruncated: boolean } & ResponseInfo)
  | ({ kind: "not_modified" } & ResponseInfo)
  | SkippedFetch;

export type FileOutcome =
  | ({ kind: "file"; bytes: Uint8Array; isTruncated: boolean } & ResponseInfo)
  | ({ kind: "not_modified" } & ResponseInfo)
  | SkippedFetch;

export type RenderOutcome = { kind: "rendered"; html: string; finalUrl: string } | SkippedFetch;

export function toSkippedFetch(reason: SkipReason): SkippedFetch {
  return { kind: "skipped", reason, message: SKIP_REASONS[reason] };
}
