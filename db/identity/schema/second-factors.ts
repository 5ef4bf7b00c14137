import { bool, id, foreignId, index, instant, int, json, string, table, uniqueIndex } from "../../engine/columns.ts";
import { users } from "./identity.ts";

export const totpFactors = table("totp_factors", {
  userId: id("user_id")
    .primaryKey()
    .references(() => users.id),
  sealedSecret: string("sealed_secret").notNull(),
  /** Null until a first code confirms that the app has the secret. */
  confirmedAt: instant("confirmed_at"),
  /** Time step of the last accepted code; codes up to it are rejected (RFC 6238 section 5.2). */
  lastStep: int("last_step").notNull().default(0),
  createdAt: instant("created_at").notNull(),
});

export const passkeys = table(
  "passkeys",
  {
    id: id("id").primaryKey(),
    userId: foreignId("user_id", () => users.id),
    /** Base64url, as assigned by the authenticator. */
    credentialId: string("credential_id").notNull(),
    /** COSE key, base64url. */
    publicKey: string("public_key").notNull(),
    counter: int("counter").notNull(),
    transports: json<string[]>("transports").notNull(),
    isBackedUp: bool("is_backed_up").notNull(),
    name: string("name").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
  },
  (t) => [uniqueIndex("passkeys_credential").on(t.credentialId), index("passkeys_user").on(t.userId, t.id)],
);

/** Single-use codes for lost authenticators. Only a keyed hash is stored. */
export const recoveryCodes = table(
  "recovery_codes",
  {
    codeHash: string("code_hash").primaryKey(),
    userId: foreignId("user_id", () => users.id),
    createdAt: instant("created_at").notNull(),
    usedAt: instant("used_at"),
  },
  (t) => [index("recovery_codes_user").on(t.userId)],
);

/** Password sign-ins that await a second factor, and passkey registrations. */
export const factorChallenges = table(
  "factor_challenges",
  {
    /** SHA-256 of the secret in the browser's cookie. */
    secretHash: string("secret_hash").primaryKey(),
    userId: foreignId("user_id", () => users.id),
    challenge: string("challenge").notNull(),
    next: string("next").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("factor_challenges_expiry").on(t.expiresAt)],
);
