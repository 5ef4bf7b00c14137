import type { StoredAddress } from "../../../core/audits/audit-rows.ts";
import { SKIP_REASONS, type Crawler, type PageOutcome } from "../../../core/audits/crawler.ts";
import type { FetchedPage, PageHeaders } from "../../../core/audits/fetched-page.ts";
import { unchangedPage } from "../../../core/audits/page-basis.ts";
import type { Allowed } from "./robots-files.ts";
import { isPassing, isPassingStatus } from "./passing.ts";

export type Fetching =
  /** `unread` is the reason to skip the HTML; `isUnchanged` means equal to the previous run. */
  | { kind: "page"; fetched: FetchedPage; unread?: string | undefined; isUnchanged: boolean; later?: Later | undefined }
  | { kind: "skipped"; reason: string; later?: Later | undefined };

interface Later {
  retryAfterMs?: number | undefined;
}

export const NO_BROWSER = "No browser is configured.";

export interface FetchAudited {
  crawler: Crawler;
  allowed: Allowed;
  renders: boolean;
  /** The page in the previous run, if its findings remain valid for unchanged HTML. */
  known: StoredAddress | null;
  signal: AbortSignal;
}

/** Obeys robots.txt and sends a conditional request. Rejects only with the reason of `signal`. */
export async function fetchAudited(url: string, by: FetchAudited): Promise<Fetching> {
  const { crawler, allowed, known, signal } = by;
  const { refusal, delayMs, mayFollow } = allowed;
  if (refusal !== null) return { kind: "skipped", reason: refusal };
  const options = { signal, delayMs, mayFollow };
  if (known) {
    const { etag, lastModified } = known.headers;
    const answer = await crawler.fetchPage(url, { ...options, etag, lastModified });
    if (answer.kind !== "not_modified") return fetchingOf(answer, by);
    if (answer.finalUrl === known.finalUrl && saysTheSame(known.headers, answer.headers)) {
      return { kind: "page", fetched: unchangedPage(known, answer), isUnchanged: true };
    }
  }
  return fetchingOf(await crawler.fetchPage(url, options), by);
}

/** A 304 response may omit headers or have lost them; only a full response tells the two apart. */
const saysTheSame = (known: PageHeaders, newer: PageHeaders): boolean => saidIn(known) === saidIn(newer);

const saidIn = ({ xRobotsTag, link }: PageHeaders) => JSON.stringify([xRobotsTag, link]);

/** A denied crawler says nothing about the page's quality. */
const REFUSALS = new Set([401, 403, 429, 451]);

async function fetchingOf(answer: PageOutcome, by: FetchAudited): Promise<Fetching> {
  if (answer.kind === "not_modified") return { kind: "skipped", reason: SKIP_REASONS.response_invalid };
  if (answer.kind === "skipped") {
    if (answer.answer) return pageOf(answer.answer, { unread: answer.words, by });
    return { kind: "skipped", reason: answer.words, later: isPassing(answer.reason) ? {} : undefined };
  }
  return pageOf(answer.page, { retryAfterMs: answer.retryAfterMs, by });
}

async function pageOf(
  fetched: FetchedPage,
  { unread, retryAfterMs, by }: { unread?: string; retryAfterMs?: number | undefined; by: FetchAudited },
): Promise<Fetching> {
  const { status } = fetched;
  const later = isPassingStatus(status, retryAfterMs) ? { retryAfterMs } : undefined;
  if (REFUSALS.has(status)) {
    return { kind: "skipped", reason: `The server refused our crawler (HTTP ${status}).`, later };
  }
  if (status < 200 || status > 299) {
    return { kind: "page", fetched, unread: `The page answers with HTTP ${status}.`, isUnchanged: false, later };
  }
  if (unread !== undefined || !by.renders) return { kind: "page", fetched, unread, isUnchanged: false };
  return { kind: "page", fetched: { ...fetched, rendered: await render(fetched.finalUrl, by) }, isUnchanged: false };
}

async function render(url: string, { crawler, signal }: FetchAudited): Promise<FetchedPage["rendered"]> {
  if (!crawler.renderPage) return { unrendered: NO_BROWSER };
  const rendered = await crawler.renderPage(url, { signal });
  return rendered.kind === "rendered" ? { html: rendered.html } : { unrendered: rendered.words };
}
