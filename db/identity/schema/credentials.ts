import { API_KEY_KINDS, ORGANIZATION_ROLES } from "../../../core/identity/roles.ts";
import { id, idOf, index, instant, json, oneOf, primaryKey, string, table, uniqueIndex } from "../../engine/columns.ts";
import { addressProofs, organizations, users, workspaces } from "./identity.ts";

// What people and their programs sign in with. Of every secret only a hash is kept.

/** The proof that the person signed in by. A credential without one opens nothing. */
const proofId = () => id("proof_id").references(() => addressProofs.id);

/** A browser that is signed in. Only a hash of the cookie is kept. */
export const webSessions = table(
  "web_sessions",
  {
    idHash: string("id_hash").primaryKey(),
    /** Names it, and opens nothing. */
    id: id("id").notNull().default(""),
    userId: idOf("user_id", () => users.id),
    proofId: proofId(),
    /** What the browser says it is, such as `Firefox on Linux`. */
    browser: string("browser"),
    /** When the person last showed who they are, as far as it is known: a provider may remember them without asking. */
    authenticatedAt: instant("authenticated_at"),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [
    index("web_sessions_expiry").on(t.expiresAt),
    index("web_sessions_user").on(t.userId),
    index("web_sessions_id").on(t.id),
  ],
);

/** Links that work once, such as the first-run set-up link. Only a hash of the secret is kept. */
export const oneTimeLinks = table("one_time_links", {
  secretHash: string("secret_hash").primaryKey(),
  purpose: string("purpose").notNull(),
  /** Whose account it opens, where it is for one. */
  userId: id("user_id").references(() => users.id),
  createdAt: instant("created_at").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

export const apiKeys = table(
  "api_keys",
  {
    id: id("id").primaryKey(),
    kind: oneOf("kind", API_KEY_KINDS).notNull(),
    name: string("name").notNull(),
    /** Whose rights cut the key's own, at every call. */
    userId: idOf("user_id", () => users.id),
    organizationId: id("organization_id").references(() => organizations.id),
    workspaceId: id("workspace_id").references(() => workspaces.id),
    role: oneOf("role", ORGANIZATION_ROLES),
    proofId: proofId(),
    /** The key that asked for this one; revoking it revokes this one too. */
    madeWithKeyId: id("made_with_key_id"),
    /** The key that took its place; this one lives on to its end, so that programs can be moved to the other. */
    rotatedToId: id("rotated_to_id"),
    /** HMAC-SHA256 of the key with the pepper. */
    keyHash: string("key_hash").notNull(),
    hint: string("hint").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (t) => [
    uniqueIndex("api_keys_hash").on(t.keyHash),
    index("api_keys_user").on(t.userId, t.id),
    index("api_keys_organization").on(t.organizationId, t.id),
  ],
);

/** Refresh tokens of the REST interface. A family is one exchange of an API key; reuse of an old token ends it. */
export const refreshTokens = table(
  "refresh_tokens",
  {
    tokenHash: string("token_hash").primaryKey(),
    familyId: id("family_id").notNull(),
    apiKeyId: idOf("api_key_id", () => apiKeys.id),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    rotatedAt: instant("rotated_at"),
  },
  (t) => [index("refresh_tokens_family").on(t.familyId), index("refresh_tokens_expiry").on(t.expiresAt)],
);

/**
 * Families of REST tokens: of an API key's exchange, or of a person's own sign-in through an organization's identity
 * provider, which has no key. Kept until their last access token has expired.
 */
export const tokenFamilies = table(
  "token_families",
  {
    id: id("id").primaryKey(),
    apiKeyId: id("api_key_id").references(() => apiKeys.id),
    /** Whose tokens these are where there is no key. */
    userId: id("user_id").references(() => users.id),
    proofId: proofId(),
    authenticatedAt: instant("authenticated_at"),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [index("token_families_user").on(t.userId)],
);

/** ES256 keys. The private half is sealed; `retiredAt` ends signing, verification goes on until tokens have expired. */
export const signingKeys = table("signing_keys", {
  kid: string("kid").primaryKey(),
  publicJwk: json<Record<string, unknown>>("public_jwk").notNull(),
  sealedPrivateJwk: string("sealed_private_jwk").notNull(),
  createdAt: instant("created_at").notNull(),
  retiredAt: instant("retired_at"),
});

/** What a person was shown of a client when allowing it; kept as it was, even where the client later renames itself. */
export interface GrantNote {
  clientName: string;
  /** Where the client receives its codes: a host, or the scheme of a private one. */
  redirectTo: string;
  /** True if the client's name comes from a document at an address of its own host. */
  verified: boolean;
  scopes: string[];
}

/** Records of the authorization server: one table for all of its models, columns only for what it looks up by. */
export const oauthRecords = table(
  "oauth_records",
  {
    model: string("model").notNull(),
    /** SHA-256 of the value where the value is itself a secret. */
    id: string("id").notNull(),
    payload: json<Record<string, unknown>>("payload").notNull(),
    grantId: string("grant_id"),
    uid: string("uid"),
    accountId: string("account_id"),
    clientId: string("client_id"),
    note: json<GrantNote>("note"),
    proofId: proofId(),
    createdAt: instant("created_at").notNull(),
    consumedAt: instant("consumed_at"),
    expiresAt: instant("expires_at"),
    /** Of a grant: its first call. */
    firstUsedAt: instant("first_used_at"),
    /** Of a grant: its last call. Of a client: its last grant; a client without one was never used. */
    lastUsedAt: instant("last_used_at"),
  },
  (t) => [
    primaryKey({ columns: [t.model, t.id] }),
    index("oauth_records_grant").on(t.grantId),
    index("oauth_records_uid").on(t.uid),
    index("oauth_records_account").on(t.accountId, t.model),
    index("oauth_records_expiry").on(t.expiresAt),
  ],
);
