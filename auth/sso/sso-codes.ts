import { createHash, randomBytes } from "node:crypto";
import { insertSsoCode, takeSsoCode, type SsoCode } from "../../db/identity/sso.ts";
import type { Db } from "../../db/engine/store.ts";
import { findUser } from "../../db/identity/users.ts";
import { AppError } from "../../core/shared/errors.ts";
import { relayPathOf } from "../../core/identity/sso.ts";
import { later, type Instant } from "../../core/shared/time.ts";

const CODE_MS = 60_000;

/** The stored form of a secret of 256 random bits. */
export function secretHash(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** A one-time code for a sign-in that an identity provider has vouched for: 256 bits, 60 seconds. */
export async function issueSsoCode(
  db: Db,
  signIn: Omit<SsoCode, "codeHash" | "createdAt" | "expiresAt">,
  now: Instant,
): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  await insertSsoCode(db, {
    ...signIn,
    relayPath: relayPathOf(signIn.relayPath),
    codeHash: secretHash(code),
    createdAt: now,
    expiresAt: later(now, CODE_MS),
  });
  return code;
}

/** The sign-in that a code stands for, with its proof. */
type ProvenCode = SsoCode & { proofId: string };

/** The sign-in of a code. The code is deleted before anything else; UNAUTHENTICATED if it is not valid. */
export async function redeemSsoCode(db: Db, code: string, now: Instant): Promise<ProvenCode> {
  const signIn = await takeSsoCode(db, secretHash(code), now);
  const user = signIn && (await findUser(db, signIn.userId));
  if (!signIn?.proofId || !user || user.disabledAt !== null) {
    const message = "This sign-in code is invalid, expired or already used. Sign in again.";
    throw new AppError("UNAUTHENTICATED", message, { keepWrites: true });
  }
  return { ...signIn, proofId: signIn.proofId };
}

/**
 * The sign-in of a code that a program brings. A code that is bound to the browser which began the sign-in is worth nothing
 * there, and is used up: a thief who read it would otherwise sign in without that browser.
 */
export async function redeemProgramCode(db: Db, code: string, now: Instant): Promise<ProvenCode> {
  const signIn = await redeemSsoCode(db, code, now);
  if (signIn.browserHash === null) return signIn;
  const message = "This sign-in code belongs to a browser. Begin the sign-in for a program, and use the code it shows.";
  throw new AppError("UNAUTHENTICATED", message, { keepWrites: true });
}
