import { expect, test } from "vitest";
import { TookTooLong, withinTime } from "../../core/shared/within-time.ts";
import { extent } from "../../test/support/proof.ts";
import { HOSTILE_TEXTS } from "./texts.ts";

// The attack: a text from outside that keeps its reader, and with it the work of all tenants, busy.

/** Far more than a text takes on a busy machine, and far less than an expression that backtracks. */
const MAX_MS = extent(20_000, 2_000);

test.each(HOSTILE_TEXTS)(
  "$name: each hostile text is read in time or recorded as unreadable",
  ({ texts, read }) => {
    const slow = texts.filter((text) => !isDone(() => read(text)));
    expect(slow.map((text) => `${text.length} characters: ${text.slice(0, 60)}`)).toEqual([]);
  },
  1_000_000,
);

function isDone(work: () => unknown): boolean {
  try {
    withinTime(MAX_MS, work);
    return true;
  } catch (error) {
    if (error instanceof TookTooLong) return false;
    throw error;
  }
}
