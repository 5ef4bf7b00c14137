import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { AppError } from "../../core/errors.ts";

// argon2id, 64 MiB, 3 passes, 4 lanes; the first recommendation of RFC 9106 section 4 for constrained memory.
const COST = { memoryCost: 65_536, timeCost: 3, parallelism: 4 } as const;

/** Loaded once the service answers. */
export const passwordLibrary = () => import("argon2").then((loaded) => loaded.default);

/** Longer passwords are rejected without hashing. */
export const PASSWORD_MAX_LENGTH = 1024;
export const PASSWORD_MIN_LENGTH = 12;

/** At most one concurrent hash per core, so that sign-in cannot exhaust memory. */
const AT_ONCE = availableParallelism();
/** Callers that would wait for more than a few seconds are rejected and told to retry. */
const MOST_WAITING = 16 * AT_ONCE;

let running = 0;
const waiting: (() => void)[] = [];

/** UNAVAILABLE if too many are waiting. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running++;
  else {
    if (waiting.length >= MOST_WAITING) {
      const busy = "Too many people are signing in right now. Try again in a few seconds.";
      throw new AppError("UNAVAILABLE", busy, { retryAfterSeconds: 5 });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(async () => {
    const { hash, argon2id } = await passwordLibrary();
    return hash(password, { ...COST, type: argon2id });
  });
}

/** A hash that matches no password, in PHC form: verifying against it takes the same work as any other. */
const UNMATCHABLE = [
  `$argon2id$v=19$m=${COST.memoryCost},p=${COST.parallelism},t=${COST.timeCost}`,
  ...[16, 32].map((bytes) => randomBytes(bytes).toString("base64").replaceAll("=", "")),
].join("$");

/** False for a wrong password, and, after the same work, for an account without one (`hash` null). */
export async function passwordMatches(hash: string | null, password: string): Promise<boolean> {
  if (password.length > PASSWORD_MAX_LENGTH) return false;
  const matches = await inTurn(async () => (await passwordLibrary()).verify(hash ?? UNMATCHABLE, password));
  return matches && hash !== null;
}
