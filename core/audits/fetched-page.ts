export interface FetchedPage {
  url: string;
  finalUrl: string;
  redirects: readonly { url: string; status: number; to: string }[];
  /** Status of the last response. */
  status: number;
  headers: PageHeaders;
  /** Time to the first byte of the last response. */
  responseMs: number;
  /** Decompressed size. */
  bytes: number;
  /** Empty unless the status is a success. */
  html: string;
  /** WHATWG name. */
  encoding: string;
  isTruncated: boolean;
  /** After scripts ran, or the reason for a failure; undefined if not attempted. */
  rendered?: { html: string } | { unrendered: string } | undefined;
}

/** Null if absent. */
export interface PageHeaders {
  contentType: string | null;
  /** One per header line. */
  xRobotsTag: readonly string[];
  link: readonly string[];
  contentLanguage: string | null;
  cacheControl: string | null;
  etag: string | null;
  lastModified: string | null;
}
