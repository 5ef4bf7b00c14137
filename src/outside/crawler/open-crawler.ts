import type { Crawler } from "../../../core/audits/crawler.ts";
import type { Environment } from "../../config/config.ts";
import { openGuard, type SocketDialler, type Guard, type NameResolver } from "../guard.ts";
import { createResolver } from "../name-servers.ts";
import { fetchFile, fetchPage, fetchText } from "./fetch-page.ts";
import type { FetchLimits } from "./follow-redirects.ts";
import { openHostQueues } from "./host-queues.ts";
import { renderPage, type RenderLimits } from "./render-page.ts";
import { buildCrawlerUserAgent } from "./user-agent.ts";

const MEGABYTE = 1024 * 1024;

export interface CrawlLimits {
  fetch: FetchLimits;
  /** RFC 9309 section 2.5 requires at least 500 KiB for robots.txt. */
  textBytes: number;
  /** Max size of a sitemap (sitemaps.org, "Sitemap index files"). */
  maxFileBytes: number;
  render: RenderLimits;
}

const CRAWLER_LIMITS: CrawlLimits = {
  fetch: { connectMs: 10_000, responseMs: 20_000, totalMs: 30_000, limitBytes: 5 * MEGABYTE },
  textBytes: 500 * 1024,
  maxFileBytes: 50 * MEGABYTE,
  render: { totalMs: 20_000, settleMs: 10_000, maxCharacters: 5 * MEGABYTE, maxBytes: 50 * MEGABYTE, maxRequests: 500 },
};

export interface CrawlerStandIn {
  resolver?: NameResolver;
  dialler?: SocketDialler;
  limits?: Partial<CrawlLimits>;
  guard?: Guard;
}

type CrawlerSettings = Pick<Environment, "BASE_URL" | "PORT" | "DNS_SERVERS" | "CHROMIUM_PATH">;

/** No setting disables the guard. */
export function openCrawler(config: CrawlerSettings, closing: AbortSignal, standIn: CrawlerStandIn = {}): Crawler {
  const { resolver = createResolver(config.DNS_SERVERS), dialler } = standIn;
  const guard = standIn.guard ?? openGuard({ resolver, ...(dialler ? { dialler } : {}) });
  const limits = { ...CRAWLER_LIMITS, ...standIn.limits };
  const userAgent = buildCrawlerUserAgent(config);
  const deps = { guard, hostQueues: openHostQueues(), userAgent, limits: limits.fetch };
  const browsers = openHostQueues();
  const { CHROMIUM_PATH: chromiumPath } = config;
  const until = addClosingSignal(closing);
  const within = (limitBytes = limits.textBytes) => ({
    ...deps,
    limits: { ...limits.fetch, limitBytes: Math.min(limitBytes, limits.maxFileBytes) },
  });
  return {
    userAgent,
    fetchPage: (url, options = {}) => until(options, (both) => fetchPage(url, both, deps)),
    fetchText: (url, { limitBytes, ...options } = {}) =>
      until(options, (both) => fetchText(url, both, within(limitBytes))),
    fetchFile: (url, { limitBytes, ...options } = {}) =>
      until(options, (both) => fetchFile(url, both, within(limitBytes))),
    renderPage:
      chromiumPath === undefined
        ? undefined
        : (url, options = {}) =>
            // One browser at a time: each takes a core and some hundred megabytes.
            until(options, (both) =>
              browsers.run("", both, () =>
                renderPage(url, both, { guard, chromiumPath, userAgent, limits: limits.render }),
              ),
            ),
  };
}

function addClosingSignal(closing: AbortSignal) {
  return async <O extends { signal?: AbortSignal }, T>(
    options: O,
    work: (options: O & { signal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    const { signal } = options;
    const both = new AbortController();
    const onClosing = () => both.abort(closing.reason);
    const onSignal = () => both.abort(signal?.reason);
    if (closing.aborted) onClosing();
    if (signal?.aborted) onSignal();
    closing.addEventListener("abort", onClosing);
    signal?.addEventListener("abort", onSignal);
    try {
      return await work({ ...options, signal: both.signal });
    } finally {
      closing.removeEventListener("abort", onClosing);
      signal?.removeEventListener("abort", onSignal);
    }
  };
}
