import { API_KEY_KINDS, ORGANIZATION_ROLES } from "../../../core/identity/roles.ts";
import {
  id,
  foreignId,
  index,
  instant,
  json,
  oneOf,
  primaryKey,
  string,
  table,
  uniqueIndex,
} from "../../engine/columns.ts";
import { addressProofs, organizations, users, workspaces } from "./identity.ts";

// Sign-in credentials of users and their programs. Secrets are stored as hashes only.

/** The sign-in behind the credential. A credential without a proof grants nothing. */
const proofId = () => id("proof_id").references(() => addressProofs.id);

/** Signed-in browsers. Only a hash of the cookie is stored. */
export const webSessions = table(
  "web_sessions",
  {
    idHash: string("id_hash").primaryKey(),
    /** Public identifier; grants nothing. */
    id: id("id").notNull().default(""),
    userId: foreignId("user_id", () => users.id),
    proofId: proofId(),
    browser: string("browser"),
    /** Null if unknown: a provider may keep a user signed in without authenticating again. */
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

/** Single-use links, such as the first-run set-up link. Only a hash of the secret is stored. */
export const oneTimeLinks = table("one_time_links", {
  secretHash: string("secret_hash").primaryKey(),
  purpose: string("purpose").notNull(),
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
    /** The owner, whose rights limit the key on every call. */
    userId: foreignId("user_id", () => users.id),
    organizationId: id("organization_id").references(() => organizations.id),
    workspaceId: id("workspace_id").references(() => workspaces.id),
    role: oneOf("role", ORGANIZATION_ROLES),
    proofId: proofId(),
    /** The key that created this one; revoking it revokes both. */
    madeWithKeyId: id("made_with_key_id"),
    /** Its replacement. This key stays valid until it expires, so that programs can switch. */
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

/**
 * REST refresh tokens. Reuse of a rotated token ends its family, which is one exchange of a key.
 */
export const refreshTokens = table(
  "refresh_tokens",
  {
    tokenHash: string("token_hash").primaryKey(),
    familyId: id("family_id").notNull(),
    apiKeyId: foreignId("api_key_id", () => apiKeys.id),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    rotatedAt: instant("rotated_at"),
  },
  (t) => [index("refresh_tokens_family").on(t.familyId), index("refresh_tokens_expiry").on(t.expiresAt)],
);

/**
 * From an API key, or from single sign-on without a key. Kept until the last access token expires.
 */
export const tokenFamilies = table(
  "token_families",
  {
    id: id("id").primaryKey(),
    apiKeyId: id("api_key_id").references(() => apiKeys.id),
    /** Account of the family; set if there is no key. */
    userId: id("user_id").references(() => users.id),
    proofId: proofId(),
    authenticatedAt: instant("authenticated_at"),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [index("token_families_user").on(t.userId)],
);

/** Sealed ES256 keys. `retiredAt` ends signing, not the verification of issued tokens. */
export const signingKeys = table("signing_keys", {
  kid: string("kid").primaryKey(),
  publicJwk: json<Record<string, unknown>>("public_jwk").notNull(),
  sealedPrivateJwk: string("sealed_private_jwk").notNull(),
  createdAt: instant("created_at").notNull(),
  retiredAt: instant("retired_at"),
});

/** Client details shown on the consent page; unchanged if the client renames itself. */
export interface GrantNote {
  clientName: string;
  /** Redirect target: a host, or a private-use URI scheme. */
  redirectTo: string;
  /** True if the name comes from a metadata document on the client's own host. */
  verified: boolean;
  scopes: string[];
}

/** Records of the authorization server: one table for all models, with columns for lookups only. */
export const oauthRecords = table(
  "oauth_records",
  {
    model: string("model").notNull(),
    /** SHA-256 of the value if the value is a secret. */
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
    /** First call under a grant. */
    firstUsedAt: instant("first_used_at"),
    /** Last call under a grant, or last grant of a client; null for a client that never had one. */
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
