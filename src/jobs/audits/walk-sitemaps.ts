import type { Crawler, FileOutcome } from "../../../core/audits/crawler.ts";
import { TOO_MUCH, type FileOrder } from "./check-thread.ts";
import { allowedBy, type Permissions } from "./robots-files.ts";

/** Max sitemaps read per site. Further entries are only counted (sitemaps.org bounds an index). */
const MOST_FILES = 50;
const MOST_NAMED = 50_000;

export interface Walk<Found> {
  crawler: Crawler;
  signal: AbortSignal;
  /** Set if robots.txt applies to sitemaps too; disallowed files are not requested. */
  permissions?: Permissions;
  limitBytes: number;
  /** Parses in a thread; undefined above a limit. */
  read: (file: FileOrder) => Promise<Found | undefined>;
  goesOn: () => boolean;
}

export type SitemapStep<Found> =
  | { kind: "read"; url: string; found: Found; isTruncated: boolean }
  /** `why` is a phrase for people; `status` is undefined without a response. */
  | { kind: "unread"; url: string; why: string; status: number | undefined }
  | { kind: "left"; read: number; of: number };

/** Reads each sitemap and its children once. Lazy: stops when the consumer stops. */
export async function* walkSitemaps<Found extends { sitemaps: readonly string[] }>(
  first: readonly string[],
  { crawler, signal, permissions, limitBytes, read, goesOn }: Walk<Found>,
): AsyncGenerator<SitemapStep<Found>> {
  const named = new Set(first);
  let count = 0;
  for (const url of named) {
    if (count === MOST_FILES || !goesOn()) {
      yield { kind: "left", read: count, of: named.size };
      return;
    }
    count += 1;
    const { refusal = null, ...allowed } = permissions ? await allowedBy(permissions, url) : {};
    if (refusal !== null) {
      yield { kind: "unread", url, why: refusal, status: undefined };
      continue;
    }
    const answer = await crawler.fetchFile(url, { ...allowed, signal, limitBytes });
    const status = answer.kind === "skipped" ? undefined : answer.status;
    const why = whyUnread(answer);
    const found = answer.kind === "file" && why === null ? await read(orderOf(answer)) : undefined;
    if (answer.kind !== "file" || !found) {
      yield { kind: "unread", url, why: why ?? TOO_MUCH, status };
      continue;
    }
    for (const further of found.sitemaps) if (named.size < MOST_NAMED) named.add(further);
    yield { kind: "read", url, found, isTruncated: answer.isTruncated };
  }
}

function orderOf({ bytes, isTruncated, headers }: FileOutcome & { kind: "file" }): FileOrder {
  return { bytes, isTruncated, contentType: headers.contentType };
}

function whyUnread(answer: FileOutcome): string | null {
  if (answer.kind === "skipped") return answer.words;
  return answer.status >= 200 && answer.status < 300 ? null : `The host answers with HTTP ${answer.status}.`;
}
