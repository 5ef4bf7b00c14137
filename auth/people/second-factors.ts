import {
  deleteFactorChallengesOf,
  findFactorChallenge,
  takeFactorChallenge,
} from "../../db/identity/second-factors/factor-challenges.ts";
import {
  deleteSecondFactors,
  findTotp,
  listPasskeys,
  noteSecondFactor,
  takePasskeyUse,
  takeTotpStep,
  type PasskeyRow,
} from "../../db/identity/second-factors/second-factors.ts";
import { endSessions } from "../../db/identity/end-access.ts";
import { insertNotice } from "../../db/identity/notices.ts";
import type { FactorChallengeRow } from "../../db/identity/second-factors/factor-challenges.ts";
import type { Db } from "../../db/engine/store.ts";
import { findUser } from "../../db/identity/users.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Secrets } from "../keys/secrets.ts";
import { newRecoveryCodes, useRecoveryCode } from "./recovery-codes.ts";
import { stepOfCode } from "./totp.ts";

/** What proves a second factor: a code of the app, a recovery code, or a passkey whose answer was verified. */
export type Proven = { code: string } | { recoveryCode: string } | { passkey: PasskeyRow; counter: number };

/** True for what looks like a code of an app; any other text is a recovery code. */
export function isAppCode(typed: string): boolean {
  return /^\d{6}$/.test(typed);
}

/**
 * Ends the waiting of a sign-in by its second factor, in one transaction: what works once is used up, and so is the
 * challenge. False, and everything but the second factor's own count as it was, if one of them is wrong or was used.
 */
export async function passChallenge(
  db: Db,
  challenge: FactorChallengeRow,
  proven: Proven,
  at: { secrets: Secrets; now: Instant },
): Promise<boolean> {
  const { userId, secretHash } = challenge;
  if (!(await findFactorChallenge(db, secretHash, at.now))) return false;
  return (await takeProof(db, userId, proven, at)) && takeFactorChallenge(db, challenge);
}

async function takeProof(db: Db, userId: string, proven: Proven, at: { secrets: Secrets; now: Instant }) {
  if ("passkey" in proven) return takePasskeyUse(db, proven.passkey, { counter: proven.counter, at: at.now });
  if ("recoveryCode" in proven) return useRecoveryCode(db, { userId, code: proven.recoveryCode }, at);
  const step = await stepOfCode(db, { userId, code: proven.code }, at);
  return step !== undefined && takeTotpStep(db, userId, step);
}

/**
 * Asks for a second factor from now on, if that is not so yet: signs out every browser and assistant, as a new password
 * does. Returns the recovery codes, to be shown once; undefined if a second factor was asked for already.
 */
export async function turnOnSecondFactor(
  db: Db,
  userId: string,
  at: { secrets: Secrets; now: Instant },
): Promise<string[] | undefined> {
  const user = await findUser(db, userId);
  if (!user || user.secondFactorAt !== null) return undefined;
  await noteSecondFactor(db, userId, at.now);
  await endSessions(db, userId);
  return newRecoveryCodes(db, userId, at);
}

/** Asks for no second factor any more once neither an app nor a passkey is left: recovery codes alone are none. */
export async function turnOffIfNoneIsLeft(db: Db, userId: string): Promise<void> {
  const totp = await findTotp(db, userId);
  if ((totp?.confirmedAt ?? null) !== null || (await listPasskeys(db, userId)).length > 0) return;
  await deleteSecondFactors(db, userId);
}

/**
 * Takes the second factor from the account of a person who lost it, and tells them: an owner of this organization did so,
 * or the operator (null). False, and nothing is told, if there was none.
 */
export async function resetSecondFactor(
  db: Db,
  { userId, organizationId }: { userId: string; organizationId: string | null },
  { now, newId }: { now: Instant; newId: () => string },
): Promise<boolean> {
  const user = await findUser(db, userId);
  await deleteSecondFactors(db, userId);
  await deleteFactorChallengesOf(db, userId);
  if (!user || user.secondFactorAt === null) return false;
  await insertNotice(db, { id: newId(), userId, kind: "second_factor_reset", organizationId, createdAt: now });
  return true;
}
