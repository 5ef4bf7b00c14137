import { LRUCache } from "lru-cache";

/** What reads made of committed rows, kept for the reads that come next. */
export interface Kept {
  /** What is kept under `key`, which says of which rows it is and in which state, or what `make` makes of them. */
  get<T>(key: string, make: () => Promise<Made<T>>): Promise<T>;
}

interface Made<T> {
  value: T;
  /** About how much memory it takes. */
  bytes: number;
}

/** Ten collects of 100,000 answers with a brand or two each fit, or one with twenty. */
const MOST_BYTES = 96 * 1024 * 1024;

/** Keeps what was used last, up to `most` bytes in all. */
export function openKept(most = MOST_BYTES): Kept {
  const kept = new LRUCache<string, Made<unknown>>({
    maxSize: most,
    sizeCalculation: ({ bytes }) => Math.max(1, Math.ceil(bytes)),
  });
  const underWay = new Map<string, Promise<Made<unknown>>>();

  /** Who asks while it is made waits for the same. */
  function madeOnce(key: string, make: () => Promise<Made<unknown>>): Promise<Made<unknown>> {
    const making = underWay.get(key) ?? make().finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  }

  return {
    async get<T>(key: string, make: () => Promise<Made<T>>) {
      const made = (kept.get(key) ?? (await madeOnce(key, make))) as Made<T>; // a key is of one kind of value
      kept.set(key, made);
      return made.value;
    },
  };
}

/** Keeps nothing: for a connection that sees what may be rolled back. */
export const KEEPS_NOTHING: Kept = {
  async get(_, make) {
    return (await make()).value;
  },
};
