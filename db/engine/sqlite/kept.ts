import { LRUCache } from "lru-cache";

export interface Kept {
  /** `key` must identify the rows and their version. */
  get<T>(key: string, make: () => Promise<Made<T>>): Promise<T>;
}

interface Made<T> {
  value: T;
  bytes: number;
}

/** Fits the facts of ten collects of 100,000 answers with one or two brands each. */
const MOST_BYTES = 96 * 1024 * 1024;

export function openKept(most = MOST_BYTES): Kept {
  const kept = new LRUCache<string, Made<unknown>>({
    maxSize: most,
    sizeCalculation: ({ bytes }) => Math.max(1, Math.ceil(bytes)),
  });
  const underWay = new Map<string, Promise<Made<unknown>>>();

  /** Concurrent readers share one computation. */
  function madeOnce(key: string, make: () => Promise<Made<unknown>>): Promise<Made<unknown>> {
    const making = underWay.get(key) ?? computed(key, make).finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  }

  async function computed(key: string, make: () => Promise<Made<unknown>>): Promise<Made<unknown>> {
    const made = await make();
    kept.set(key, made);
    return made;
  }

  return {
    async get<T>(key: string, make: () => Promise<Made<T>>) {
      // Safe: a key always stands for values of one type.
      const made = (kept.get(key) ?? (await madeOnce(key, make))) as Made<T>;
      return made.value;
    },
  };
}

/** Caches nothing: for a connection that sees uncommitted rows. */
export const KEEPS_NOTHING: Kept = {
  async get(_, make) {
    return (await make()).value;
  },
};
