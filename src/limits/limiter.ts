import { hash } from "node:crypto";
import { RateLimiterMemory } from "rate-limiter-flexible";

/** A fixed-window rate limit by key, counted in this process only. */
export interface Limiter {
  /** As `RateLimit-Policy` names it (draft-ietf-httpapi-ratelimit-headers-08 section 3). */
  policy: string;
  /** Counts for a key; says whether it is over the limit. */
  take(key: string, quantity?: number): Promise<Taken>;
  /** Takes back one count. */
  giveBack(key: string): Promise<void>;
  /** The state of a key, without counting. */
  look(key: string): Promise<Taken>;
}

export interface Taken {
  isOver: boolean;
  /** Seconds until the key's window ends. */
  resetSeconds: number;
  /** Value for the `RateLimit` header (section 4 of the draft). */
  state: string;
}

/** Number of keys with their own counter: a flood of addresses must not exhaust memory. */
const MOST_KEYS = 50_000;
/** Further keys share these counters, so that using many addresses raises no limit and no count is dropped. */
const SHARED_KEYS = 1024;

export function openLimiter(of: { name: string; quantity: number; windowSeconds: number; mostKeys?: number }): Limiter {
  const { name, quantity, windowSeconds, mostKeys = MOST_KEYS } = of;
  const counters = new RateLimiterMemory({ points: quantity, duration: windowSeconds, keyPrefix: "" });
  let keys = 0;

  async function keyFor(key: string): Promise<string> {
    if (keys < mostKeys || (await counters.get(key)) !== null) return key;
    return `shared ${hash("sha1", key, "buffer").readUInt32BE() % SHARED_KEYS}`;
  }

  function taken({ consumedPoints, msBeforeNext }: { consumedPoints: number; msBeforeNext: number }): Taken {
    // No more than a window, also after the clock was set back.
    const resetSeconds = Math.min(Math.max(1, Math.ceil(msBeforeNext / 1000)), windowSeconds);
    const left = Math.max(0, quantity - consumedPoints);
    return { isOver: consumedPoints > quantity, resetSeconds, state: `"${name}";r=${left};t=${resetSeconds}` };
  }

  return {
    policy: `"${name}";q=${quantity};w=${windowSeconds}`,
    async take(key, points = 1) {
      const counted = await counters.penalty(await keyFor(key), points);
      if (counted.isFirstInDuration) {
        keys++;
        setTimeout(() => keys--, windowSeconds * 1000).unref();
      }
      return taken(counted);
    },
    async giveBack(key) {
      const counted = await keyFor(key);
      if ((await counters.get(counted)) !== null) await counters.reward(counted);
    },
    async look(key) {
      const counted = await counters.get(await keyFor(key));
      // The next one would be over the limit.
      return taken({ consumedPoints: (counted?.consumedPoints ?? 0) + 1, msBeforeNext: counted?.msBeforeNext ?? 0 });
    },
  };
}
