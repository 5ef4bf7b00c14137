import {
  findFactorChallenge,
  replaceFactorChallenge,
  type FactorChallengeRow,
} from "../../db/identity/second-factors/factor-challenges.ts";
import type { Db } from "../../db/engine/store.ts";
import { later, type Instant } from "../../core/shared/time.ts";
import { hashOfSecret, newSecret } from "../keys/random-secret.ts";

export const CHALLENGE_SECONDS = 600;

/** Returns a secret for the browser after a correct password; only a hash is stored. */
export async function beginSignInChallenge(
  db: Db,
  { userId, next }: { userId: string; next: string },
  now: Instant,
): Promise<string> {
  const secret = newSecret();
  await insert(db, { secretHash: hashOfSecret(secret), userId, next }, now);
  return secret;
}

export async function findSignInChallenge(
  db: Db,
  secret: string,
  now: Instant,
): Promise<FactorChallengeRow | undefined> {
  const row = await findFactorChallenge(db, hashOfSecret(secret), now);
  return row && row.next !== ADDING ? row : undefined;
}

/** A sign-in always has a return path, so an empty path keeps the two kinds of challenge apart. */
const ADDING = "";

export async function beginPasskey(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Instant,
): Promise<string> {
  return insert(db, { secretHash: hashOfSession(sessionId), userId, next: ADDING }, now);
}

export async function findNewPasskey(db: Db, sessionId: string, now: Instant): Promise<FactorChallengeRow | undefined> {
  const row = await findFactorChallenge(db, hashOfSession(sessionId), now);
  return row?.next === ADDING ? row : undefined;
}

async function insert(
  db: Db,
  row: Pick<FactorChallengeRow, "secretHash" | "userId" | "next">,
  now: Instant,
): Promise<string> {
  const challenge = newSecret();
  const expiresAt = later(now, CHALLENGE_SECONDS * 1000);
  await replaceFactorChallenge(db, { ...row, challenge, createdAt: now, expiresAt });
  return challenge;
}

function hashOfSession(sessionId: string): string {
  return hashOfSecret(`adding a passkey in ${sessionId}`);
}
