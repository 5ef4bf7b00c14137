/** Response to a page request. */
export interface FetchedPage {
  url: string;
  /** Address after redirects. */
  finalUrl: string;
  /** Redirects in order. */
  redirects: readonly { url: string; status: number; to: string }[];
  /** Status of the last response. */
  status: number;
  headers: PageHeaders;
  /** Time to the first byte of the last response. */
  responseMs: number;
  /** Decompressed size in bytes. */
  bytes: number;
  /** Decoded body; empty unless the status is a success. */
  html: string;
  /** WHATWG name of the encoding used. */
  encoding: string;
  /** True if the page exceeds the size limit. */
  isTruncated: boolean;
  /** HTML after scripts ran, or the reason why rendering failed; undefined if not attempted. */
  rendered?: { html: string } | { unrendered: string } | undefined;
}

/** Headers used by audits; null if absent. */
export interface PageHeaders {
  contentType: string | null;
  /** Values of X-Robots-Tag, one per header line. */
  xRobotsTag: readonly string[];
  link: readonly string[];
  contentLanguage: string | null;
  cacheControl: string | null;
  etag: string | null;
  lastModified: string | null;
}
