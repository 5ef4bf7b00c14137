import { Secret, TOTP } from "otpauth";
import { findTotp, replaceTotp, totpSecretPlace } from "../../db/identity/second-factors/second-factors.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Secrets } from "../keys/secrets.ts";

// Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds, which is what all apps know.
const KIND = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** A clock may be one step off, in both directions (RFC 6238 section 5.2). */
const WINDOW = 1;
const SECRET_BYTES = 20;
const ISSUER = "Brand Visibility";

/** What a person types or scans into their app. */
export interface NewTotp {
  /** Base32. */
  secret: string;
  /** `otpauth://` link. */
  uri: string;
}

/** Gives a person a new secret for an app, in place of one that was not confirmed. */
export async function beginTotp(
  db: Db,
  person: { userId: string; email: string },
  { secrets, now }: { secrets: Pick<Secrets, "seal">; now: Instant },
): Promise<NewTotp> {
  const { userId } = person;
  const secret = new Secret({ size: SECRET_BYTES });
  const sealedSecret = secrets.seal(secret.base32, totpSecretPlace(userId));
  await replaceTotp(db, { userId, sealedSecret, createdAt: now });
  return shown(person.email, secret);
}

/** The secret of an app that is being set up; undefined if there is none, or it is confirmed: then it is never shown. */
export async function totpToConfirm(
  db: Db,
  person: { userId: string; email: string },
  secrets: Pick<Secrets, "unseal">,
): Promise<NewTotp | undefined> {
  const totp = await findTotp(db, person.userId);
  if (!totp || totp.confirmedAt !== null) return undefined;
  return shown(person.email, Secret.fromBase32(secrets.unseal(totp.sealedSecret, totpSecretPlace(person.userId))));
}

/** The time step of a code of the person's app; undefined for a wrong code, and without an app. */
export async function stepOfCode(
  db: Db,
  { userId, code }: { userId: string; code: string },
  { secrets, now }: { secrets: Pick<Secrets, "unseal">; now: Instant },
): Promise<number | undefined> {
  const totp = await findTotp(db, userId);
  if (!totp) return undefined;
  const secret = Secret.fromBase32(secrets.unseal(totp.sealedSecret, totpSecretPlace(userId)));
  const timestamp = Date.parse(now);
  const off = TOTP.validate({ ...KIND, token: code, secret, timestamp, window: WINDOW });
  return off === null ? undefined : TOTP.counter({ period: KIND.period, timestamp }) + off;
}

function shown(label: string, secret: Secret): NewTotp {
  return { secret: secret.base32, uri: new TOTP({ ...KIND, issuer: ISSUER, label, secret }).toString() };
}
