import {
  toSkippedFetch,
  type Crawler,
  type FetchOptions,
  type ResponseInfo,
  type PageOutcome,
  type SkipReason,
} from "../../core/audits/crawler.ts";
import type { PageHeaders } from "../../core/audits/fetched-page.ts";

/** Response of a host at an address. */
export interface FakeResponse {
  status?: number;
  html?: string;
  headers?: Partial<PageHeaders>;
  retryAfterMs?: number;
  /** Redirect target. */
  to?: string;
  fails?: SkipReason;
  /** Runs before it responds. */
  meanwhile?: () => Promise<void>;
}

const HEADERS: PageHeaders = {
  contentType: "text/html",
  xRobotsTag: [],
  link: [],
  contentLanguage: null,
  cacheControl: null,
  etag: null,
  lastModified: null,
};

/**
 * An in-process site behind the crawler interface. `asked` records requested addresses with their
 * options.
 */
export function fakeSite(answers: Record<string, FakeResponse | FakeResponse[]>) {
  const asked: string[] = [];
  const times = new Map<string, number>();

  function answerOf(url: string): FakeResponse {
    const answer = answers[url] ?? { status: 404 };
    if (!Array.isArray(answer)) return answer;
    const nth = times.get(url) ?? 0;
    times.set(url, nth + 1);
    return answer[Math.min(nth, answer.length - 1)] ?? {};
  }

  async function follow(url: string, options: FetchOptions) {
    const { userAgent, etag, delayMs, signal } = options;
    signal?.throwIfAborted();
    asked.push(
      [
        url,
        ...(delayMs ? [`after ${delayMs} ms`] : []),
        ...(etag ? [`unless ${etag}`] : []),
        ...(userAgent ? [`as ${userAgent}`] : []),
      ].join(" "),
    );
    let answer = answerOf(url);
    await answer.meanwhile?.();
    const redirects: ResponseInfo["redirects"][number][] = [];
    let finalUrl = url;
    while (answer.to !== undefined) {
      redirects.push({ url: finalUrl, status: 301, to: answer.to });
      finalUrl = answer.to;
      if ((await options.isAllowedRedirect?.(finalUrl)) === false)
        return { failure: toSkippedFetch("redirect_disallowed") };
      answer = answerOf(finalUrl);
    }
    if (answer.fails) return { failure: toSkippedFetch(answer.fails) };
    const { status = 200, retryAfterMs } = answer;
    const headers = { ...HEADERS, ...answer.headers };
    const isSame = etag != null && etag === headers.etag;
    const fetched = { url, finalUrl, redirects, status: isSame ? 304 : status, responseMs: 5, headers, retryAfterMs };
    return { fetched, isSame, html: status < 300 ? (answer.html ?? "") : "" };
  }

  const crawler: Crawler = {
    userAgent: "OurBot/1.0 (+https://example.com/bot)",
    renderPage: undefined,
    async fetchPage(url, options = {}): Promise<PageOutcome> {
      const { failure, fetched, isSame, html } = await follow(url, options);
      if (failure) return failure;
      if (isSame) {
        const { etag, xRobotsTag, link } = fetched.headers;
        return { kind: "not_modified", ...fetched, headers: { ...HEADERS, etag, xRobotsTag, link, contentType: null } };
      }
      const { retryAfterMs, ...rest } = fetched;
      const page = { ...rest, bytes: Buffer.byteLength(html), html, encoding: "UTF-8", isTruncated: false };
      return { kind: "page", page, retryAfterMs };
    },
    async fetchText(url, options = {}) {
      const { failure, fetched, html } = await follow(url, options);
      if (failure) return failure;
      return { kind: "text", text: html, bytes: Buffer.byteLength(html), isTruncated: false, ...fetched };
    },
    async fetchFile(url, options = {}) {
      const { failure, fetched, html } = await follow(url, options);
      if (failure) return failure;
      return { kind: "file", bytes: Buffer.from(html), isTruncated: false, ...fetched };
    },
  };
  return { crawler, asked, answers };
}
