import { API_KEY_KINDS, ORGANIZATION_ROLES } from "../../../core/identity/roles.ts";
import * as c from "../../engine/columns.ts";
import { addressProofs, organizations, users, workspaces } from "./identity.ts";

// Sign-in credentials of users and their programs. Secrets are stored as hashes only.

/** A credential without a proof grants nothing. */
const signInProofColumn = () => c.id("proof_id").references(() => addressProofs.id);

/** Only a hash of the cookie is stored. */
export const webSessions = c.table(
  "web_sessions",
  {
    idHash: c.string("id_hash").primaryKey(),
    /** Public identifier; grants nothing. */
    id: c.id("id").notNull().default(""),
    userId: c.foreignId("user_id", () => users.id),
    proofId: signInProofColumn(),
    browser: c.string("browser"),
    /** Null if unknown: a provider may keep a user signed in without authenticating again. */
    authenticatedAt: c.instant("authenticated_at"),
    createdAt: c.instant("created_at").notNull(),
    lastUsedAt: c.instant("last_used_at"),
    expiresAt: c.instant("expires_at").notNull(),
  },
  (t) => [
    c.index("web_sessions_expiry").on(t.expiresAt),
    c.index("web_sessions_user").on(t.userId),
    c.index("web_sessions_id").on(t.id),
  ],
);

/** Only a hash of the secret is stored. */
export const oneTimeLinks = c.table("one_time_links", {
  secretHash: c.string("secret_hash").primaryKey(),
  purpose: c.string("purpose").notNull(),
  userId: c.id("user_id").references(() => users.id),
  createdAt: c.instant("created_at").notNull(),
  expiresAt: c.instant("expires_at").notNull(),
});

export const apiKeys = c.table(
  "api_keys",
  {
    id: c.id("id").primaryKey(),
    kind: c.oneOf("kind", API_KEY_KINDS).notNull(),
    name: c.string("name").notNull(),
    /** The owner's rights limit the key on every call. */
    userId: c.foreignId("user_id", () => users.id),
    organizationId: c.id("organization_id").references(() => organizations.id),
    workspaceId: c.id("workspace_id").references(() => workspaces.id),
    role: c.oneOf("role", ORGANIZATION_ROLES),
    proofId: signInProofColumn(),
    /** Revoking the key that created this one revokes both. */
    madeWithKeyId: c.id("made_with_key_id"),
    /** This key stays valid until it expires, so that programs can switch. */
    rotatedToId: c.id("rotated_to_id"),
    /** HMAC-SHA256 with the pepper. */
    keyHash: c.string("key_hash").notNull(),
    hint: c.string("hint").notNull(),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at"),
    lastUsedAt: c.instant("last_used_at"),
    revokedAt: c.instant("revoked_at"),
  },
  (t) => [
    c.uniqueIndex("api_keys_hash").on(t.keyHash),
    c.index("api_keys_user").on(t.userId, t.id),
    c.index("api_keys_organization").on(t.organizationId, t.id),
  ],
);

/** Reuse of a rotated token ends its family, which is one exchange of a key. */
export const refreshTokens = c.table(
  "refresh_tokens",
  {
    tokenHash: c.string("token_hash").primaryKey(),
    familyId: c.id("family_id").notNull(),
    apiKeyId: c.foreignId("api_key_id", () => apiKeys.id),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
    rotatedAt: c.instant("rotated_at"),
  },
  (t) => [c.index("refresh_tokens_family").on(t.familyId), c.index("refresh_tokens_expiry").on(t.expiresAt)],
);

/** Kept until the last access token expires. */
export const tokenFamilies = c.table(
  "token_families",
  {
    id: c.id("id").primaryKey(),
    apiKeyId: c.id("api_key_id").references(() => apiKeys.id),
    /** Set if there is no key. */
    userId: c.id("user_id").references(() => users.id),
    proofId: signInProofColumn(),
    authenticatedAt: c.instant("authenticated_at"),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
    revokedAt: c.instant("revoked_at"),
  },
  (t) => [c.index("token_families_user").on(t.userId)],
);

/** Sealed ES256 keys. `retiredAt` ends signing, not the verification of issued tokens. */
export const signingKeys = c.table("signing_keys", {
  kid: c.string("kid").primaryKey(),
  publicJwk: c.json<Record<string, unknown>>("public_jwk").notNull(),
  sealedPrivateJwk: c.string("sealed_private_jwk").notNull(),
  createdAt: c.instant("created_at").notNull(),
  retiredAt: c.instant("retired_at"),
});

/** Shown on the consent page; unchanged if the client renames itself. */
export interface GrantNote {
  clientName: string;
  /** A host, or a private-use URI scheme. */
  redirectTo: string;
  /** The name comes from a metadata document on the client's own host. */
  verified: boolean;
  scopes: string[];
}

/** One table for all models, with columns for lookups only. */
export const oauthRecords = c.table(
  "oauth_records",
  {
    model: c.string("model").notNull(),
    /** SHA-256 of the value if the value is a secret. */
    id: c.string("id").notNull(),
    payload: c.json<Record<string, unknown>>("payload").notNull(),
    grantId: c.string("grant_id"),
    uid: c.string("uid"),
    accountId: c.string("account_id"),
    clientId: c.string("client_id"),
    note: c.json<GrantNote>("note"),
    proofId: signInProofColumn(),
    /** Limits a grant to one workspace; null for everything that the account may access. */
    workspaceId: c.id("workspace_id").references(() => workspaces.id),
    createdAt: c.instant("created_at").notNull(),
    consumedAt: c.instant("consumed_at"),
    expiresAt: c.instant("expires_at"),
    firstUsedAt: c.instant("first_used_at"),
    /** Last call under a grant, or last grant of a client; null for a client that never had one. */
    lastUsedAt: c.instant("last_used_at"),
  },
  (t) => [
    c.primaryKey({ columns: [t.model, t.id] }),
    c.index("oauth_records_grant").on(t.grantId),
    c.index("oauth_records_uid").on(t.uid),
    c.index("oauth_records_account").on(t.accountId, t.model),
    c.index("oauth_records_expiry").on(t.expiresAt),
  ],
);
