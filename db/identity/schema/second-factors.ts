import * as c from "../../engine/columns.ts";
import { users } from "./identity.ts";

export const totpFactors = c.table("totp_factors", {
  userId: c
    .id("user_id")
    .primaryKey()
    .references(() => users.id),
  sealedSecret: c.string("sealed_secret").notNull(),
  /** Null until a first code confirms that the app has the secret. */
  confirmedAt: c.instant("confirmed_at"),
  /** Time step of the last accepted code; codes up to it are rejected (RFC 6238 section 5.2). */
  lastStep: c.int("last_step").notNull().default(0),
  createdAt: c.instant("created_at").notNull(),
});

export const passkeys = c.table(
  "passkeys",
  {
    id: c.id("id").primaryKey(),
    userId: c.foreignId("user_id", () => users.id),
    /** Assigned by the authenticator, base64url. */
    credentialId: c.string("credential_id").notNull(),
    /** COSE, base64url. */
    publicKey: c.string("public_key").notNull(),
    counter: c.int("counter").notNull(),
    transports: c.json<string[]>("transports").notNull(),
    isBackedUp: c.bool("is_backed_up").notNull(),
    name: c.string("name").notNull(),
    createdAt: c.instant("created_at").notNull(),
    lastUsedAt: c.instant("last_used_at"),
  },
  (t) => [c.uniqueIndex("passkeys_credential").on(t.credentialId), c.index("passkeys_user").on(t.userId, t.id)],
);

/** Only a keyed hash is stored. */
export const recoveryCodes = c.table(
  "recovery_codes",
  {
    codeHash: c.string("code_hash").primaryKey(),
    userId: c.foreignId("user_id", () => users.id),
    createdAt: c.instant("created_at").notNull(),
    usedAt: c.instant("used_at"),
  },
  (t) => [c.index("recovery_codes_user").on(t.userId)],
);

/** Password sign-ins that await a second factor, and passkey registrations. */
export const factorChallenges = c.table(
  "factor_challenges",
  {
    /** SHA-256 of the secret in the browser's cookie. */
    secretHash: c.string("secret_hash").primaryKey(),
    userId: c.foreignId("user_id", () => users.id),
    challenge: c.string("challenge").notNull(),
    next: c.string("next").notNull(),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
  },
  (t) => [c.index("factor_challenges_expiry").on(t.expiresAt)],
);
