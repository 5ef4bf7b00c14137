import type { SiteSubject } from "../../../core/audits/check.ts";
import { MAX_CRAWL_DELAY_MS, type Crawler } from "../../../core/audits/crawler.ts";
import { LIMITS_EXCEEDED, type PageChecker } from "./check-thread.ts";
import { isTemporary, isTemporaryStatus } from "./temporary-failures.ts";

export interface SiteTools {
  crawler: Crawler;
  checker: PageChecker;
  signal: AbortSignal;
}

export type RobotsFile = SiteSubject["robots"];

const MAX_BYTES = 512 * 1024;

/** RFC 9309 section 2.3.1: a missing file allows everything, a failing host nothing. */
export async function fetchRobots(
  crawler: Crawler,
  origin: string,
  signal: AbortSignal,
): Promise<{ robots: RobotsFile; retryHint: { retryAfterMs?: number | undefined } | undefined }> {
  const answer = await crawler.fetchText(`${origin}/robots.txt`, { signal, limitBytes: MAX_BYTES });
  if (answer.kind === "skipped") {
    return { robots: { unread: answer.message }, retryHint: isTemporary(answer.reason) ? {} : undefined };
  }
  const { status, retryAfterMs } = answer;
  if (status === 429 || status >= 500) {
    const robots = { unread: `The host answers with HTTP ${status}.` };
    return { robots, retryHint: isTemporaryStatus(status, retryAfterMs) ? { retryAfterMs } : undefined };
  }
  const text = answer.kind === "text" && status >= 200 && status < 300 ? answer.text : "";
  return { robots: { text, status }, retryHint: undefined };
}

export type Permissions = (url: string) => Promise<FetchPermission>;

export interface FetchPermission {
  /** Null if the crawler may fetch the address. */
  deniedReason: string | null;
  delayMs: number;
}

const DISALLOWED_REASON = "robots.txt does not allow our crawler to fetch it.";
const UNREADABLE = "robots.txt could not be read, so that nothing may be fetched:";
/** A website links to a handful of origins. */
const MAX_ORIGINS = 100;

/** The rules of `origin` are already known. */
export function openPermissions(
  { origin, robots }: Pick<SiteSubject, "origin" | "robots">,
  { crawler, checker, signal }: SiteTools,
): Permissions {
  const files = new Map([[origin, Promise.resolve(robots)]]);

  function loadRobotsFile(url: string): Promise<RobotsFile> {
    const { origin: asked } = new URL(url);
    const known = files.get(asked);
    if (known) return known;
    const reading = fetchRobots(crawler, asked, signal).then((fetched) => fetched.robots);
    if (files.size < MAX_ORIGINS) files.set(asked, reading);
    return reading;
  }

  return async (url) => {
    const file = await loadRobotsFile(url);
    if ("unread" in file) return { deniedReason: `${UNREADABLE} ${file.unread}`, delayMs: 0 };
    const { text } = file;
    if (text === "") return { deniedReason: null, delayMs: 0 };
    const said = await checker.readRobots({ text, agent: getProductToken(crawler), url }, signal);
    if (!said) return { deniedReason: `${UNREADABLE} ${LIMITS_EXCEEDED}`, delayMs: 0 };
    return {
      deniedReason: said.isAllowed ? null : DISALLOWED_REASON,
      delayMs: Math.min(MAX_CRAWL_DELAY_MS, (said.delay ?? 0) * 1000),
    };
  };
}

export interface AllowedFetch extends FetchPermission {
  isAllowedRedirect: (url: string) => Promise<boolean>;
}

export async function checkPermission(permissions: Permissions, url: string): Promise<AllowedFetch> {
  const isAllowedRedirect = async (to: string) => (await permissions(to)).deniedReason === null;
  return { ...(await permissions(url)), isAllowedRedirect };
}

export function getProductToken({ userAgent }: Crawler): string {
  return userAgent.split(/[\s/]/)[0] ?? "";
}
