import { AppError } from "../shared/errors.ts";

/** How much one import may be, and how many large ones may be under way; 0 for any number. */
export interface ImportLimits {
  bytes: number;
  lines: number;
  atOnce: { organization: number; all: number };
}

/** A body of lines that was taken in. */
export interface StoredLines {
  sha256: string;
  size_bytes: number;
  lines: number;
  is_large: boolean;
}

const SMALL = { bytes: 1024 * 1024, lines: 1000 };

/** True for an import that is answered before it is read. Nothing waits for it, and only few are taken in at once. */
export function isLargeImport({ bytes, lines }: { bytes: number; lines: number }): boolean {
  return bytes > SMALL.bytes || lines > SMALL.lines;
}

/** As long as an import of some ten thousand lines takes. */
const WAIT_SECONDS = 30;

/** RATE_LIMITED where so many large imports are under way that no other is taken in. */
export function fullOfImports(
  underWay: { organization: number; all: number },
  { atOnce }: ImportLimits,
): AppError | undefined {
  const isOwn = atOnce.organization > 0 && underWay.organization >= atOnce.organization;
  if (!isOwn && !(atOnce.all > 0 && underWay.all >= atOnce.all)) return undefined;
  const what = isOwn
    ? `At most ${atOnce.organization} large imports of one organization run at once.`
    : "Too many large imports are running.";
  const message = `${what} Wait ${WAIT_SECONDS} seconds, then try again.`;
  return new AppError("RATE_LIMITED", message, { retryAfterSeconds: WAIT_SECONDS });
}
