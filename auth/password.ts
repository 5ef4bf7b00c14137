import { availableParallelism } from "node:os";
import argon2 from "argon2";

// argon2id, 64 MiB, 3 passes, 4 lanes; the first recommendation of RFC 9106 section 4 for constrained memory.
const COST = { type: argon2.argon2id, memoryCost: 65_536, timeCost: 3, parallelism: 4 } as const;

/** The longest password that is looked at; more is work for nothing. */
export const PASSWORD_MAX_LENGTH = 1024;
export const PASSWORD_MIN_LENGTH = 12;

let free = availableParallelism();
const waiting: (() => void)[] = [];

/** At most as many hashes at once as there are cores, so that sign-in cannot take the machine's memory. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => argon2.hash(password, COST));
}

let nobody: Promise<string> | undefined;

/** False for a wrong password, and, after the same work, for an account without one (`hash` null). */
export async function passwordMatches(hash: string | null, password: string): Promise<boolean> {
  if (password.length > PASSWORD_MAX_LENGTH) return false;
  nobody ??= hashPassword("no account has this password");
  const against = hash ?? (await nobody);
  const matches = await inTurn(() => argon2.verify(against, password));
  return matches && hash !== null;
}
