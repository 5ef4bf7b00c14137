import { LRUCache } from "lru-cache";

export interface ReadCache {
  /** `key` must identify the rows and their version. */
  get<T>(key: string, make: () => Promise<CachedValue<T>>): Promise<T>;
}

interface CachedValue<T> {
  value: T;
  bytes: number;
}

/** Fits the facts of ten collects of 100,000 answers with one or two brands each. */
const MAX_BYTES = 96 * 1024 * 1024;

export function openReadCache(maxBytes = MAX_BYTES): ReadCache {
  const entries = new LRUCache<string, CachedValue<unknown>>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, Math.ceil(bytes)),
  });
  const pending = new Map<string, Promise<CachedValue<unknown>>>();

  /** Computes a value once for all concurrent readers. */
  function computeOnce(key: string, make: () => Promise<CachedValue<unknown>>): Promise<CachedValue<unknown>> {
    const making = pending.get(key) ?? computeAndStore(key, make).finally(() => pending.delete(key));
    pending.set(key, making);
    return making;
  }

  async function computeAndStore(
    key: string,
    make: () => Promise<CachedValue<unknown>>,
  ): Promise<CachedValue<unknown>> {
    const made = await make();
    entries.set(key, made);
    return made;
  }

  return {
    async get<T>(key: string, make: () => Promise<CachedValue<T>>) {
      // Safe: a key always stands for values of one type.
      const made = (entries.get(key) ?? (await computeOnce(key, make))) as CachedValue<T>;
      return made.value;
    },
  };
}

/** For a connection that sees uncommitted rows. */
export const NO_CACHE: ReadCache = {
  async get(_, make) {
    return (await make()).value;
  },
};
