import { Secret, TOTP } from "otpauth";
import { findTotp, replaceTotp, toTotpSealContext } from "../../db/identity/second-factors/second-factors.ts";
import type { Db } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import type { Secrets } from "../keys/secrets.ts";

// RFC 6238 with SHA-1, six digits and 30 seconds, which every authenticator app supports.
const TOTP_PARAMETERS = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Tolerates one time step in both directions (RFC 6238 section 5.2). */
const WINDOW_STEPS = 1;
const SECRET_BYTES = 20;
const TOTP_ISSUER = "Brand Visibility";

export interface NewTotp {
  /** Secret in Base32. */
  secret: string;
  uri: string;
}

export async function beginTotp(
  db: Db,
  person: { userId: string; email: string },
  { secrets, now }: { secrets: Pick<Secrets, "seal">; now: Instant },
): Promise<NewTotp> {
  const { userId } = person;
  const secret = new Secret({ size: SECRET_BYTES });
  const sealedSecret = secrets.seal(secret.base32, toTotpSealContext(userId));
  await replaceTotp(db, { userId, sealedSecret, createdAt: now });
  return toNewTotp(person.email, secret);
}

/** Undefined once confirmed: a confirmed secret is never shown again. */
export async function findUnconfirmedTotp(
  db: Db,
  person: { userId: string; email: string },
  secrets: Pick<Secrets, "unseal">,
): Promise<NewTotp | undefined> {
  const totp = await findTotp(db, person.userId);
  if (!totp || totp.confirmedAt !== null) return undefined;
  return toNewTotp(
    person.email,
    Secret.fromBase32(secrets.unseal(totp.sealedSecret, toTotpSealContext(person.userId))),
  );
}

/** Time step of a correct code; undefined for a wrong code, and without an authenticator app. */
export async function matchTotpStep(
  db: Db,
  { userId, code }: { userId: string; code: string },
  { secrets, now }: { secrets: Pick<Secrets, "unseal">; now: Instant },
): Promise<number | undefined> {
  const totp = await findTotp(db, userId);
  if (!totp) return undefined;
  const secret = Secret.fromBase32(secrets.unseal(totp.sealedSecret, toTotpSealContext(userId)));
  const timestamp = Date.parse(now);
  const off = TOTP.validate({ ...TOTP_PARAMETERS, token: code, secret, timestamp, window: WINDOW_STEPS });
  return off === null ? undefined : TOTP.counter({ period: TOTP_PARAMETERS.period, timestamp }) + off;
}

function toNewTotp(label: string, secret: Secret): NewTotp {
  return {
    secret: secret.base32,
    uri: new TOTP({ ...TOTP_PARAMETERS, issuer: TOTP_ISSUER, label, secret }).toString(),
  };
}
