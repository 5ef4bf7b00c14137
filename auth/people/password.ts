import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { openPasswordSlots, type PasswordSubmission } from "./password-slots.ts";

// argon2id, 64 MiB, 3 passes, 4 lanes: RFC 9106 section 4 for constrained memory.
const ARGON2_COST = { memoryCost: 65_536, timeCost: 3, parallelism: 4 } as const;

export const loadPasswordLibrary = () => import("argon2").then((loaded) => loaded.default);

export const PASSWORD_MAX_LENGTH = 1024;
export const PASSWORD_MIN_LENGTH = 12;

/** One per core: bounds memory, and the last in the queue starts after a few seconds. */
const MAX_CONCURRENT_HASHES = availableParallelism();
const passwordSlots = openPasswordSlots({ atOnce: MAX_CONCURRENT_HASHES, maxWaiting: 16 * MAX_CONCURRENT_HASHES });

export function hashPassword(password: string, tried: PasswordSubmission): Promise<string> {
  return passwordSlots.run(tried, async () => {
    const { hash, argon2id } = await loadPasswordLibrary();
    return hash(password, { ...ARGON2_COST, type: argon2id });
  });
}

/** Matches no password; verifying against it takes the usual work. */
const UNMATCHABLE_HASH = [
  `$argon2id$v=19$m=${ARGON2_COST.memoryCost},p=${ARGON2_COST.parallelism},t=${ARGON2_COST.timeCost}`,
  ...[16, 32].map((bytes) => randomBytes(bytes).toString("base64").replaceAll("=", "")),
].join("$");

/** Takes equal work without a password (`hash` null), so that timing does not reveal it. */
export async function verifyPassword(hash: string | null, password: string, tried: PasswordSubmission) {
  if (password.length > PASSWORD_MAX_LENGTH) return false;
  const matches = await passwordSlots.run(tried, async () =>
    (await loadPasswordLibrary()).verify(hash ?? UNMATCHABLE_HASH, password),
  );
  return matches && hash !== null;
}
