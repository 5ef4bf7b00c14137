import { expect, test } from "vitest";
import { TimeLimitExceeded, runWithinTime } from "../../core/shared/run-within-time.ts";
import { chooseExtent } from "../../test/support/proof.ts";
import { HOSTILE_TEXTS } from "./texts.ts";

// Attack: a text from outside that occupies its reader, and with it the work of all tenants.

/**
 * Far above the time of any text on a loaded machine, and far below a backtracking expression's.
 */
const MAX_MS = chooseExtent(20_000, 2_000);

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
    runWithinTime(MAX_MS, work);
    return true;
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return false;
    throw error;
  }
}
