import { countLargeImportsInProgress } from "../../db/answers/imports.ts";
import type { Store } from "../../db/engine/store.ts";
import { AppError } from "../../core/shared/errors.ts";
import { importLimitError, isLargeImport, type ImportLimits } from "../../core/analyses/imports.ts";
import { tooLarge } from "../http/body.ts";

/** Counts imports in transfer together with stored imports that are not fully processed. */
export function openImportPlaces(store: Store, limits: ImportLimits) {
  const receiving = new Map<string, number>();
  const receivedBy = (organizationId: string) => receiving.get(organizationId) ?? 0;

  async function check(organizationId: string): Promise<void> {
    const stored = await store.read((db) => countLargeImportsInProgress(db, organizationId));
    const all = [...receiving.values()].reduce((sum, count) => sum + count, stored.all);
    const full = importLimitError({ organization: stored.organization + receivedBy(organizationId), all }, limits);
    if (full) throw full;
  }

  return {
    /** Throws RATE_LIMITED without a free slot. */
    check,
    /** Returns the release function. Throws RATE_LIMITED without a free slot. */
    async take(organizationId: string): Promise<() => void> {
      await check(organizationId);
      receiving.set(organizationId, receivedBy(organizationId) + 1);
      return () => {
        const left = receivedBy(organizationId) - 1;
        if (left > 0) receiving.set(organizationId, left);
        else receiving.delete(organizationId);
      };
    },
  };
}
const NEWLINE_BYTE = 0x0a;

export interface CountedLines {
  lineCount: number;
  isLarge: boolean;
}

/** Uses constant memory. Calls `onLarge` above the size that is imported synchronously. */
export async function* validateImportLines(
  bytes: AsyncIterable<Uint8Array>,
  limits: ImportLimits,
  { lineCounts, onLarge }: { lineCounts: CountedLines; onLarge: () => Promise<void> },
): AsyncGenerator<Uint8Array> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let [size, ended, isOpen] = [0, 0, false];
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limits.bytes) throw tooLarge(limits.bytes);
    for (const byte of chunk) if (byte === NEWLINE_BYTE) ended += 1;
    isOpen = chunk.at(-1) !== NEWLINE_BYTE;
    lineCounts.lineCount = ended + (isOpen ? 1 : 0);
    if (lineCounts.lineCount > limits.lines) throw createTooManyLinesError(limits.lines);
    if (!lineCounts.isLarge && isLargeImport({ bytes: size, lineCount: lineCounts.lineCount })) {
      lineCounts.isLarge = true;
      await onLarge();
    }
    decode(() => utf8.decode(chunk, { stream: true }));
    yield chunk;
  }
  decode(() => utf8.decode());
}

function decode(step: () => string): void {
  try {
    step();
  } catch (cause) {
    throw new AppError("VALIDATION_FAILED", "The body is not valid UTF-8.", { cause });
  }
}

function createTooManyLinesError(most: number): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", `The body has more than ${most} lines. Send it in parts.`);
}
