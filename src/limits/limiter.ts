import { hash } from "node:crypto";
import { RateLimiterMemory } from "rate-limiter-flexible";

/** So many in so long, for whoever a key stands for. Counted in this process alone. */
export interface Limiter {
  /** As `RateLimit-Policy` names it (draft-ietf-httpapi-ratelimit-headers-08 section 3). */
  policy: string;
  /** Counts for a key, and tells whether that was too much. */
  take(key: string, quantity?: number): Promise<Taken>;
  /** Takes back what was counted for nothing. */
  giveBack(key: string): Promise<void>;
  /** Tells how it stands with a key, without counting. */
  look(key: string): Promise<Taken>;
}

export interface Taken {
  isOver: boolean;
  /** Until the key's window ends. */
  resetSeconds: number;
  /** As `RateLimit` tells it (section 4 of the draft). */
  state: string;
}

/** Keys that are counted each for itself: a flood of addresses must not take the memory. */
const MOST_KEYS = 50_000;
/** Further keys share these, so that nobody gets more by coming from many places, and nobody's count is forgotten. */
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
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
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
      // The next one would be the first too many.
      return taken({ consumedPoints: (counted?.consumedPoints ?? 0) + 1, msBeforeNext: counted?.msBeforeNext ?? 0 });
    },
  };
}
