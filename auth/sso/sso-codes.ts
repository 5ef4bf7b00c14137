import { createHash, randomBytes } from "node:crypto";
import { insertSsoCode, consumeSsoCode, type SsoCode } from "../../db/identity/sso.ts";
import type { Db } from "../../db/engine/store.ts";
import { findUser } from "../../db/identity/users.ts";
import { AppError } from "../../core/shared/errors.ts";
import { toSafeRelayPath } from "../../core/identity/sso.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";

const CODE_MS = 60_000;

export function hashSsoSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

export async function issueSsoCode(
  db: Db,
  signIn: Omit<SsoCode, "codeHash" | "createdAt" | "expiresAt">,
  now: Instant,
): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  await insertSsoCode(db, {
    ...signIn,
    relayPath: toSafeRelayPath(signIn.relayPath),
    codeHash: hashSsoSecret(code),
    createdAt: now,
    expiresAt: addMs(now, CODE_MS),
  });
  return code;
}

type RedeemedCode = SsoCode & { proofId: string };

/** Deletes the code first; UNAUTHENTICATED if it is invalid. */
export async function redeemSsoCode(db: Db, code: string, now: Instant): Promise<RedeemedCode> {
  const signIn = await consumeSsoCode(db, hashSsoSecret(code), now);
  const user = signIn && (await findUser(db, signIn.userId));
  if (!signIn?.proofId || !user || user.disabledAt !== null) {
    const message = "This sign-in code is invalid, expired or already used. Sign in again.";
    throw new AppError("UNAUTHENTICATED", message, { keepsWrites: true });
  }
  return { ...signIn, proofId: signIn.proofId };
}

/** Rejects a code bound to a browser: a thief could otherwise use it without that browser. */
export async function redeemProgramCode(db: Db, code: string, now: Instant): Promise<RedeemedCode> {
  const signIn = await redeemSsoCode(db, code, now);
  if (signIn.browserHash === null) return signIn;
  const message = "This sign-in code belongs to a browser. Begin the sign-in for a program, and use the code it shows.";
  throw new AppError("UNAUTHENTICATED", message, { keepsWrites: true });
}
