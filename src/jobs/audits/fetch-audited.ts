import type { StoredAddress } from "../../../core/audits/audit-rows.ts";
import { SKIP_REASONS, type Crawler, type PageOutcome } from "../../../core/audits/crawler.ts";
import type { FetchedPage, PageHeaders } from "../../../core/audits/fetched-page.ts";
import { unchangedPage } from "../../../core/audits/page-basis.ts";
import type { Allowed } from "./robots-files.ts";
import { isPassing, isPassingStatus } from "./passing.ts";

/** What came of fetching a page. */
export type Fetching =
  /** `unread` says why its HTML is not looked at; `isUnchanged` that it is that of the run before. */
  | { kind: "page"; fetched: FetchedPage; unread?: string | undefined; isUnchanged: boolean; later?: Later | undefined }
  | { kind: "skipped"; reason: string; later?: Later | undefined };

/** Another try may bring something else. */
interface Later {
  retryAfterMs?: number | undefined;
}

export const NO_BROWSER = "No browser is configured.";

export interface FetchAudited {
  crawler: Crawler;
  allowed: Allowed;
  /** True where scripts are run too. */
  renders: boolean;
  /** The page in the run before, where what was found of it then still holds. */
  known: StoredAddress | null;
  signal: AbortSignal;
}

/** Fetches a page as robots.txt allows, and only where it has changed. Rejects with the reason of `signal` alone. */
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

/**
 * Whether an answer without a body has the rules and links of the page as it was. Some hosts leave headers out of such answers, others
 * no longer have them: which one it is only the whole page says.
 */
const saysTheSame = (known: PageHeaders, newer: PageHeaders): boolean => saidIn(known) === saidIn(newer);

const saidIn = ({ xRobotsTag, link }: PageHeaders) => JSON.stringify([xRobotsTag, link]);

/** A crawler that is not let in has found nothing wrong with the page. */
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
