import { hash } from "node:crypto";
import { RateLimiterMemory } from "rate-limiter-flexible";

/** Fixed-window rate limit by key, counted in this process only. */
export interface Limiter {
  /** Value of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-08 section 3). */
  policy: string;
  take(key: string, quantity?: number): Promise<Taken>;
  giveBack(key: string): Promise<void>;
  look(key: string): Promise<Taken>;
}

export interface Taken {
  isOver: boolean;
  /** Seconds until the key's window ends. */
  resetSeconds: number;
  /** Value of the `RateLimit` header (section 4 of the draft). */
  state: string;
}

/** Max keys with a separate counter; bounds memory when an attacker uses many addresses. */
const MOST_KEYS = 50_000;
/** Further keys share these counters, so that an attacker with many addresses stays limited. */
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
    // Bounds the wait to one window, even after the clock was set back.
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
      // Simulates one more request, without counting it.
      return taken({ consumedPoints: (counted?.consumedPoints ?? 0) + 1, msBeforeNext: counted?.msBeforeNext ?? 0 });
    },
  };
}
