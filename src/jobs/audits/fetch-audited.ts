import type { StoredAddress } from "../../../core/audits/audit-rows.ts";
import { SKIP_REASONS, type Crawler, type PageOutcome } from "../../../core/audits/crawler.ts";
import type { FetchedPage, PageHeaders } from "../../../core/audits/fetched-page.ts";
import { mergeUnchangedPage } from "../../../core/audits/page-basis.ts";
import type { AllowedFetch } from "./robots-files.ts";
import { isTemporary, isTemporaryStatus } from "./temporary-failures.ts";

export type FetchResult =
  /** `unread` is the reason to skip the HTML; `isUnchanged` means equal to the previous run. */
  | {
      kind: "page";
      fetched: FetchedPage;
      unread?: string | undefined;
      isUnchanged: boolean;
      later?: RetryHint | undefined;
    }
  | { kind: "skipped"; reason: string; later?: RetryHint | undefined };

interface RetryHint {
  retryAfterMs?: number | undefined;
}

export const NO_BROWSER = "No browser is configured.";

export interface FetchContext {
  crawler: Crawler;
  allowedFetch: AllowedFetch;
  shouldRender: boolean;
  /** Null unless earlier findings remain valid for unchanged HTML. */
  known: StoredAddress | null;
  signal: AbortSignal;
}

/** Rejects only with the reason of `signal`. */
export async function fetchAudited(url: string, by: FetchContext): Promise<FetchResult> {
  const { crawler, allowedFetch, known, signal } = by;
  const { deniedReason, delayMs, isAllowedRedirect } = allowedFetch;
  if (deniedReason !== null) return { kind: "skipped", reason: deniedReason };
  const options = { signal, delayMs, isAllowedRedirect };
  if (known) {
    const { etag, lastModified } = known.headers;
    const answer = await crawler.fetchPage(url, { ...options, etag, lastModified });
    if (answer.kind !== "not_modified") return toFetching(answer, by);
    if (answer.finalUrl === known.finalUrl && hasSameHeaders(known.headers, answer.headers)) {
      return { kind: "page", fetched: mergeUnchangedPage(known, answer), isUnchanged: true };
    }
  }
  return toFetching(await crawler.fetchPage(url, options), by);
}

/** A 304 response may omit headers or have lost them; only a full response tells the two apart. */
const hasSameHeaders = (known: PageHeaders, newer: PageHeaders): boolean => toHeaderKey(known) === toHeaderKey(newer);

const toHeaderKey = ({ xRobotsTag, link }: PageHeaders) => JSON.stringify([xRobotsTag, link]);

/** Statuses that deny the crawler, and so say nothing about the page's quality. */
const DENIED_STATUSES = new Set([401, 403, 429, 451]);

async function toFetching(answer: PageOutcome, by: FetchContext): Promise<FetchResult> {
  if (answer.kind === "not_modified") return { kind: "skipped", reason: SKIP_REASONS.response_invalid };
  if (answer.kind === "skipped") {
    if (answer.answer) return toFetchedPage(answer.answer, { unread: answer.message, by });
    return { kind: "skipped", reason: answer.message, later: isTemporary(answer.reason) ? {} : undefined };
  }
  return toFetchedPage(answer.page, { retryAfterMs: answer.retryAfterMs, by });
}

async function toFetchedPage(
  fetched: FetchedPage,
  { unread, retryAfterMs, by }: { unread?: string; retryAfterMs?: number | undefined; by: FetchContext },
): Promise<FetchResult> {
  const { status } = fetched;
  const later = isTemporaryStatus(status, retryAfterMs) ? { retryAfterMs } : undefined;
  if (DENIED_STATUSES.has(status)) {
    return { kind: "skipped", reason: `The server refused our crawler (HTTP ${status}).`, later };
  }
  if (status < 200 || status > 299) {
    return { kind: "page", fetched, unread: `The page answers with HTTP ${status}.`, isUnchanged: false, later };
  }
  if (unread !== undefined || !by.shouldRender) return { kind: "page", fetched, unread, isUnchanged: false };
  return { kind: "page", fetched: { ...fetched, rendered: await render(fetched.finalUrl, by) }, isUnchanged: false };
}

async function render(url: string, { crawler, signal }: FetchContext): Promise<FetchedPage["rendered"]> {
  if (!crawler.renderPage) return { unrendered: NO_BROWSER };
  const rendered = await crawler.renderPage(url, { signal });
  return rendered.kind === "rendered" ? { html: rendered.html } : { unrendered: rendered.message };
}
