import { randomInt } from "node:crypto";
import { replaceRecoveryCodes, takeRecoveryCode } from "../../db/identity/second-factors/second-factors.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import { keyedHash, type Secrets } from "../keys/secrets.ts";

/** Omits characters that are easily confused: 0 and o, 1, i and l, u and v. */
const LETTERS = "23456789abcdefghjkmnpqrstwxyz";
const HALF = 6;
const CODES = 10;

type Deriving = Pick<Secrets, "derive">;

/** Ten codes of 58 bits, shown once; earlier codes become invalid. */
export async function newRecoveryCodes(
  db: Db,
  userId: string,
  { secrets, now }: { secrets: Deriving; now: Instant },
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => `${half()}-${half()}`);
  const hashes = codes.map((code) => hashOf(userId, code, secrets));
  await replaceRecoveryCodes(db, userId, { hashes, at: now });
  return codes;
}

/** Ignores spacing; false for a wrong or used code. */
export async function useRecoveryCode(
  db: Db,
  { userId, code }: { userId: string; code: string },
  { secrets, now }: { secrets: Deriving; now: Instant },
): Promise<boolean> {
  return takeRecoveryCode(db, userId, hashOf(userId, code, secrets), now);
}

function half(): string {
  return Array.from({ length: HALF }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

function hashOf(userId: string, code: string, secrets: Deriving): string {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return keyedHash(secrets.derive("recovery-codes"), `${userId} ${plain}`);
}
