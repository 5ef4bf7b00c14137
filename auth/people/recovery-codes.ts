import { randomInt } from "node:crypto";
import { replaceRecoveryCodes, consumeRecoveryCode } from "../../db/identity/second-factors/second-factors.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import { keyedHash, type Secrets } from "../keys/secrets.ts";

/** Omits characters that are easily confused: 0 and o, 1, i and l, u and v. */
const CODE_ALPHABET = "23456789abcdefghjkmnpqrstwxyz";
const HALF_LENGTH = 6;
const CODE_COUNT = 10;

type KeyDeriver = Pick<Secrets, "derive">;

/** Ten codes of 58 bits, shown once; earlier codes become invalid. */
export async function newRecoveryCodes(
  db: Db,
  userId: string,
  { secrets, now }: { secrets: KeyDeriver; now: Instant },
): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, () => `${generateCodeHalf()}-${generateCodeHalf()}`);
  const codeHashes = codes.map((code) => hashRecoveryCode(userId, code, secrets));
  await replaceRecoveryCodes(db, userId, { codeHashes, at: now });
  return codes;
}

/** Ignores spacing; false for a wrong or used code. */
export async function useRecoveryCode(
  db: Db,
  { userId, code }: { userId: string; code: string },
  { secrets, now }: { secrets: KeyDeriver; now: Instant },
): Promise<boolean> {
  return consumeRecoveryCode(db, userId, hashRecoveryCode(userId, code, secrets), now);
}

function generateCodeHalf(): string {
  return Array.from({ length: HALF_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join("");
}

function hashRecoveryCode(userId: string, code: string, secrets: KeyDeriver): string {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return keyedHash(secrets.derive("recovery-codes"), `${userId} ${plain}`);
}
