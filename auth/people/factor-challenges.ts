import {
  findFactorChallenge,
  replaceFactorChallenge,
  type FactorChallengeRow,
} from "../../db/identity/second-factors/factor-challenges.ts";
import type { Db } from "../../db/engine/store.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import { hashSecret, newSecret } from "../keys/random-secret.ts";

export const CHALLENGE_SECONDS = 600;

/** Only a hash of the returned secret is stored. */
export async function beginSignInChallenge(db: Db, { userId, next }: { userId: string; next: string }, now: Instant) {
  const secret = newSecret();
  await insertChallenge(db, { secretHash: hashSecret(secret), userId, next }, now);
  return secret;
}

export async function findSignInChallenge(
  db: Db,
  secret: string,
  now: Instant,
): Promise<FactorChallengeRow | undefined> {
  const row = await findFactorChallenge(db, hashSecret(secret), now);
  return row && row.next !== ADDING_PASSKEY ? row : undefined;
}

/** Return path of a challenge for adding a passkey: empty, unlike that of any sign-in. */
const ADDING_PASSKEY = "";

export async function beginPasskeyChallenge(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Instant,
): Promise<string> {
  return insertChallenge(db, { secretHash: hashSession(sessionId), userId, next: ADDING_PASSKEY }, now);
}

export async function findPasskeyChallenge(
  db: Db,
  sessionId: string,
  now: Instant,
): Promise<FactorChallengeRow | undefined> {
  const row = await findFactorChallenge(db, hashSession(sessionId), now);
  return row?.next === ADDING_PASSKEY ? row : undefined;
}

async function insertChallenge(db: Db, row: Pick<FactorChallengeRow, "secretHash" | "userId" | "next">, now: Instant) {
  const challenge = newSecret();
  const expiresAt = addMs(now, CHALLENGE_SECONDS * 1000);
  await replaceFactorChallenge(db, { ...row, challenge, createdAt: now, expiresAt });
  return challenge;
}

function hashSession(sessionId: string): string {
  return hashSecret(`adding a passkey in ${sessionId}`);
}
