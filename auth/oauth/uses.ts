import type { Db, Store } from "../../db/engine/store.ts";
import { later, type Instant } from "../../core/shared/time.ts";
import { isAhead } from "../../core/jobs/waits.ts";

/** Records last uses, accurate to a minute, so that a read needs no commit. */
export interface Uses {
  add(id: string, at: Instant): void;
  /** Includes last uses that are not written yet. */
  lastOf(id: string): Instant | undefined;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A use within this time after a recorded one is not recorded. */
export const EXACT_TO_MS = 60_000;
const MAX_WAIT_MS = 1000;
const REMEMBERED = 10_000;
const NEVER: Instant = "1970-01-01T00:00:00.000Z";

export function openUses(
  store: Store,
  touch: (db: Db, ids: string[], at: Instant) => Promise<void>,
  onError: (error: unknown) => void,
): Uses {
  const written = new Map<string, Instant>();
  const waiting = new Set<string>();
  let newest = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...waiting];
    waiting.clear();
    if (ids.length > 0) await store.write((db) => touch(db, ids, newest)).catch(onError);
  };
  return {
    add(id, at) {
      const last = written.get(id) ?? NEVER;
      if (at < later(last, EXACT_TO_MS) && !isAhead(last, at)) return;
      if (written.size >= REMEMBERED) written.clear();
      written.set(id, at);
      waiting.add(id);
      newest = at;
      timer ??= setTimeout(() => void flush(), MAX_WAIT_MS);
    },
    lastOf: (id) => written.get(id),
    flush,
    close: flush,
  };
}
