import {
  findFactorChallenge,
  replaceFactorChallenge,
  type FactorChallengeRow,
} from "../../db/identity/second-factors/factor-challenges.ts";
import type { Db } from "../../db/engine/store.ts";
import { later, type Instant } from "../../core/shared/time.ts";
import { hashOfSecret, newSecret } from "../keys/random-secret.ts";

/** How long a person has for the second step. */
export const CHALLENGE_SECONDS = 600;

/** A sign-in whose password was right; returns the secret of its browser, of which only a hash is kept. */
export async function beginSignInChallenge(
  db: Db,
  { userId, next }: { userId: string; next: string },
  now: Instant,
): Promise<string> {
  const secret = newSecret();
  await insert(db, { secretHash: hashOfSecret(secret), userId, next }, now);
  return secret;
}

/** The sign-in that waits in the browser with this secret. */
export async function findSignInChallenge(
  db: Db,
  secret: string,
  now: Instant,
): Promise<FactorChallengeRow | undefined> {
  const row = await findFactorChallenge(db, hashOfSecret(secret), now);
  return row && row.next !== ADDING ? row : undefined;
}

/** No sign-in goes on to nowhere, so that neither kind of challenge passes for the other. */
const ADDING = "";

/** What a new passkey must sign; one at a time for each browser. */
export async function beginPasskey(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  now: Instant,
): Promise<string> {
  return insert(db, { secretHash: hashOfSession(sessionId), userId, next: ADDING }, now);
}

/** The passkey that is being added in this browser. */
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
