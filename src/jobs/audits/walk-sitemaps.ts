import type { Crawler, FileOutcome } from "../../../core/audits/crawler.ts";
import { LIMITS_EXCEEDED, type SitemapFile } from "./check-thread.ts";
import { checkPermission, type Permissions } from "./robots-files.ts";

/** Further entries are only counted. */
const MAX_FILES = 50;
const MAX_QUEUED = 50_000;

export interface SitemapWalk<Found> {
  crawler: Crawler;
  signal: AbortSignal;
  /** Set if robots.txt applies to sitemaps too; disallowed files are not requested. */
  getPermission?: Permissions;
  limitBytes: number;
  /** Undefined above a limit of time or memory. */
  parseFile: (file: SitemapFile) => Promise<Found | undefined>;
  shouldContinue: () => boolean;
}

export type SitemapStep<Found> =
  | { kind: "read"; url: string; found: Found; isTruncated: boolean }
  /** `reason` is a phrase for people; `status` is undefined without a response. */
  | { kind: "unread"; url: string; reason: string; status: number | undefined }
  | { kind: "left"; readCount: number; totalCount: number };

/** Reads each sitemap once. Lazy: stops when the consumer stops. */
export async function* walkSitemaps<Found extends { sitemaps: readonly string[] }>(
  first: readonly string[],
  { crawler, signal, getPermission, limitBytes, parseFile, shouldContinue }: SitemapWalk<Found>,
): AsyncGenerator<SitemapStep<Found>> {
  const urls = new Set(first);
  let count = 0;
  for (const url of urls) {
    if (count === MAX_FILES || !shouldContinue()) {
      yield { kind: "left", readCount: count, totalCount: urls.size };
      return;
    }
    count += 1;
    const { deniedReason = null, ...allowed } = getPermission ? await checkPermission(getPermission, url) : {};
    if (deniedReason !== null) {
      yield { kind: "unread", url, reason: deniedReason, status: undefined };
      continue;
    }
    const answer = await crawler.fetchFile(url, { ...allowed, signal, limitBytes });
    const status = answer.kind === "skipped" ? undefined : answer.status;
    const why = findUnreadReason(answer);
    const found = answer.kind === "file" && why === null ? await parseFile(toFileOrder(answer)) : undefined;
    if (answer.kind !== "file" || !found) {
      yield { kind: "unread", url, reason: why ?? LIMITS_EXCEEDED, status };
      continue;
    }
    for (const further of found.sitemaps) if (urls.size < MAX_QUEUED) urls.add(further);
    yield { kind: "read", url, found, isTruncated: answer.isTruncated };
  }
}

function toFileOrder({ bytes, isTruncated, headers }: FileOutcome & { kind: "file" }): SitemapFile {
  return { bytes, isTruncated, contentType: headers.contentType };
}

function findUnreadReason(answer: FileOutcome): string | null {
  if (answer.kind === "skipped") return answer.message;
  return answer.status >= 200 && answer.status < 300 ? null : `The host answers with HTTP ${answer.status}.`;
}
