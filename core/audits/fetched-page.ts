/** An answer to a request for a page, as far as audits look at it. */
export interface FetchedPage {
  url: string;
  /** The address that answered, after redirects. */
  finalUrl: string;
  /** What sent on, in order: each with its status and where it led to. */
  redirects: readonly { url: string; status: number; to: string }[];
  /** Of the last answer. */
  status: number;
  headers: PageHeaders;
  /** Until the first byte of the last answer. */
  responseMs: number;
  /** Of the body, decompressed. */
  bytes: number;
  /** Decoded; empty where the status is no success. */
  html: string;
  /** The WHATWG name of the encoding that it was decoded with. */
  encoding: string;
  /** True where the page is longer than what was read. */
  isTruncated: boolean;
  /** The HTML after its scripts ran; undefined where it was not rendered, with the reason. */
  rendered?: { html: string } | { unrendered: string } | undefined;
}

/** Headers that audits read; null where the answer has none. */
export interface PageHeaders {
  contentType: string | null;
  /** One entry per header line. */
  xRobotsTag: readonly string[];
  link: readonly string[];
  contentLanguage: string | null;
  cacheControl: string | null;
  etag: string | null;
  lastModified: string | null;
}
