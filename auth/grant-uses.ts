import { touchGrants } from "../db/oauth-records.ts";
import type { Store } from "../db/store.ts";
import type { Instant } from "../src/core/time.ts";

/** Notes when assistants were last used, so that people see it; exact to a minute, so that a read costs no commit. */
export interface GrantUses {
  add(grantId: string, at: Instant): void;
  /** Writes what is noted; resolves when it is on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const EXACT_TO_MS = 60_000;
const MAX_WAIT_MS = 1000;
const REMEMBERED = 10_000;

export function openGrantUses(store: Store, onError: (error: unknown) => void): GrantUses {
  const written = new Map<string, number>();
  const waiting = new Set<string>();
  let newest = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const grantIds = [...waiting];
    waiting.clear();
    if (grantIds.length > 0) await store.write((db) => touchGrants(db, grantIds, newest)).catch(onError);
  };
  return {
    add(grantId, at) {
      const ms = Date.parse(at);
      if (ms - (written.get(grantId) ?? 0) < EXACT_TO_MS) return;
      if (written.size >= REMEMBERED) written.clear();
      written.set(grantId, ms);
      waiting.add(grantId);
      newest = at;
      timer ??= setTimeout(() => void flush(), MAX_WAIT_MS);
    },
    flush,
    close: flush,
  };
}
