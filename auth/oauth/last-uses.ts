import type { Db, Store } from "../../db/engine/store.ts";
import { addMs, type Instant, isFuture } from "../../core/shared/time.ts";

/** Records last uses, accurate to a minute, so that a read needs no commit. */
export interface LastUses {
  add(id: string, at: Instant): void;
  lastUseOf(id: string): Instant | undefined;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A use within this time after a recorded one is not recorded. */
export const USE_RESOLUTION_MS = 60_000;
const MAX_WAIT_MS = 1000;
const MAX_REMEMBERED_IDS = 10_000;
const EPOCH_INSTANT: Instant = "1970-01-01T00:00:00.000Z";

export function openLastUses(
  store: Store,
  touch: (db: Db, ids: string[], at: Instant) => Promise<void>,
  onError: (error: unknown) => void,
): LastUses {
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
      const last = written.get(id) ?? EPOCH_INSTANT;
      if (at < addMs(last, USE_RESOLUTION_MS) && !isFuture(last, at)) return;
      if (written.size >= MAX_REMEMBERED_IDS) written.clear();
      written.set(id, at);
      waiting.add(id);
      newest = at;
      timer ??= setTimeout(() => void flush(), MAX_WAIT_MS);
    },
    lastUseOf: (id) => written.get(id),
    flush,
    close: flush,
  };
}
