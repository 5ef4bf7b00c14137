import {
  deleteUserFactorChallenges,
  findFactorChallenge,
  consumeFactorChallenge,
  type FactorChallengeRow,
} from "../../db/identity/second-factors/factor-challenges.ts";
import {
  deleteSecondFactors,
  findTotp,
  listPasskeys,
  markSecondFactorEnabled,
  recordPasskeyUse,
  consumeTotpStep,
  type PasskeyRow,
} from "../../db/identity/second-factors/second-factors.ts";
import { endSessions } from "../../db/identity/revoke-access.ts";
import { insertNotice } from "../../db/identity/notices.ts";
import type { Db } from "../../db/engine/store.ts";
import { findUser } from "../../db/identity/users.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Secrets } from "../keys/secrets.ts";
import { newRecoveryCodes, useRecoveryCode } from "./recovery-codes.ts";
import { matchTotpStep } from "./totp.ts";

export type PresentedFactor = { code: string } | { recoveryCode: string } | { passkey: PasskeyRow; counter: number };

export function isAppCode(typed: string): boolean {
  return /^\d{6}$/.test(typed);
}

/** Consumes challenge and factor together. Returns false for a wrong or used factor. */
export async function verifyChallenge(
  db: Db,
  challenge: FactorChallengeRow,
  proven: PresentedFactor,
  at: { secrets: Secrets; now: Instant },
): Promise<boolean> {
  const { userId, secretHash } = challenge;
  if (!(await findFactorChallenge(db, secretHash, at.now))) return false;
  return (await consumeFactor(db, userId, proven, at)) && consumeFactorChallenge(db, challenge);
}

async function consumeFactor(db: Db, userId: string, proven: PresentedFactor, at: { secrets: Secrets; now: Instant }) {
  if ("passkey" in proven) return recordPasskeyUse(db, proven.passkey, { counter: proven.counter, at: at.now });
  if ("recoveryCode" in proven) return useRecoveryCode(db, { userId, code: proven.recoveryCode }, at);
  const step = await matchTotpStep(db, { userId, code: proven.code }, at);
  return step !== undefined && consumeTotpStep(db, userId, step);
}

/** Ends all sessions and grants. Returns recovery codes, shown once; undefined if already on. */
export async function enableSecondFactor(
  db: Db,
  userId: string,
  at: { secrets: Secrets; now: Instant },
): Promise<string[] | undefined> {
  const user = await findUser(db, userId);
  if (!user || user.secondFactorAt !== null) return undefined;
  await markSecondFactorEnabled(db, userId, at.now);
  await endSessions(db, userId);
  return newRecoveryCodes(db, userId, at);
}

/** Turns the second factor off for a user who has only recovery codes, which alone are none. */
export async function disableSecondFactorIfUnused(db: Db, userId: string): Promise<void> {
  const totp = await findTotp(db, userId);
  if ((totp?.confirmedAt ?? null) !== null || (await listPasskeys(db, userId)).length > 0) return;
  await deleteSecondFactors(db, userId);
}

/** `organizationId` is null for the operator. Returns false if there was no second factor. */
export async function resetSecondFactor(
  db: Db,
  { userId, organizationId }: { userId: string; organizationId: string | null },
  { now, newId }: { now: Instant; newId: () => string },
): Promise<boolean> {
  const user = await findUser(db, userId);
  await deleteSecondFactors(db, userId);
  await deleteUserFactorChallenges(db, userId);
  if (!user || user.secondFactorAt === null) return false;
  await insertNotice(db, { id: newId(), userId, kind: "second_factor_reset", organizationId, createdAt: now });
  return true;
}
