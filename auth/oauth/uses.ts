import type { Db, Store } from "../../db/engine/store.ts";
import type { Instant } from "../../core/time.ts";

/** Records when something was last used, accurate to a minute, so that a read needs no commit. */
export interface Uses {
  add(id: string, at: Instant): void;
  /** Writes pending uses; resolves when they are on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const EXACT_TO_MS = 60_000;
const MAX_WAIT_MS = 1000;
const REMEMBERED = 10_000;

/** `touch` stores the uses. */
export function openUses(
  store: Store,
  touch: (db: Db, ids: string[], at: Instant) => Promise<void>,
  onError: (error: unknown) => void,
): Uses {
  const written = new Map<string, number>();
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
      const ms = Date.parse(at);
      if (ms - (written.get(id) ?? 0) < EXACT_TO_MS) return;
      if (written.size >= REMEMBERED) written.clear();
      written.set(id, ms);
      waiting.add(id);
      newest = at;
      timer ??= setTimeout(() => void flush(), MAX_WAIT_MS);
    },
    flush,
    close: flush,
  };
}
