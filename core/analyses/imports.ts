import { AppError } from "../shared/errors.ts";

/** Limits of one import, and of large imports in progress (0 = unlimited). */
export interface ImportLimits {
  bytes: number;
  lines: number;
  atOnce: { organization: number; all: number };
}

/** A stored request body of JSON Lines. */
export interface StoredLines {
  sha256: string;
  size_bytes: number;
  lines: number;
  is_large: boolean;
}

const MAX_SMALL_IMPORT = { bytes: 1024 * 1024, lines: 1000 };

/** True for an import that runs in the background; the number in progress is limited. */
export function isLargeImport({ bytes, lineCount }: { bytes: number; lineCount: number }): boolean {
  return bytes > MAX_SMALL_IMPORT.bytes || lineCount > MAX_SMALL_IMPORT.lines;
}

/** Seconds to wait after a rejection: the duration of an import of about ten thousand lines. */
const RETRY_SECONDS = 30;

/** Returns a RATE_LIMITED error if too many large imports are in progress. */
export function importLimitError(
  open: { organization: number; all: number },
  { atOnce }: ImportLimits,
): AppError | undefined {
  const isOwn = atOnce.organization > 0 && open.organization >= atOnce.organization;
  if (!isOwn && !(atOnce.all > 0 && open.all >= atOnce.all)) return undefined;
  const place = isOwn
    ? `At most ${atOnce.organization} large imports of one organization run at once.`
    : "Too many large imports are running.";
  const message = `${place} Wait ${RETRY_SECONDS} seconds, then try again.`;
  return new AppError("RATE_LIMITED", message, { retryAfterSeconds: RETRY_SECONDS });
}
