import { SSO_INITIATORS, SSO_PROTOCOLS, SSO_ROLES, type GroupRole } from "../../../core/identity/sso.ts";
import { bool, id, foreignId, index, instant, json, oneOf, primaryKey, string, table } from "../../engine/columns.ts";
import { addressProofs, organizations, users } from "./identity.ts";

/** At most one per organization. Columns of the other protocol are null or empty. */
export const ssoConfigurations = table("sso_configurations", {
  organizationId: id("organization_id")
    .primaryKey()
    .references(() => organizations.id),
  protocol: oneOf("protocol", SSO_PROTOCOLS).notNull(),
  /** The OpenID Connect issuer, or the SAML entity id of the identity provider. */
  issuer: string("issuer").notNull(),
  /** Client id of OpenID Connect; null for SAML. */
  clientId: string("client_id"),
  sealedClientSecret: string("sealed_client_secret"),
  scopes: json<string[]>("scopes").notNull(),
  /** SAML: the sign-in endpoint, and the PEM certificates that verify responses. */
  signInUrl: string("sign_in_url"),
  certificates: json<string[]>("certificates").notNull(),
  /** Claims or SAML attributes for e-mail, name and groups. */
  emailClaim: string("email_claim").notNull(),
  nameClaim: string("name_claim").notNull(),
  groupsClaim: string("groups_claim").notNull(),
  /** True if e-mails count as verified when the provider does not say. */
  trustsEmail: bool("trusts_email").notNull(),
  /** Subset of the organization's verified domains; empty for all. */
  allowedDomains: json<string[]>("allowed_domains").notNull(),
  makesAccounts: bool("makes_accounts").notNull(),
  defaultRole: oneOf("default_role", SSO_ROLES).notNull(),
  groupRoles: json<GroupRole[]>("group_roles").notNull(),
  /** True if the identity provider may initiate a sign-in. */
  acceptsIdpInitiated: bool("accepts_idp_initiated").notNull(),
  /** True if members other than owners must sign in through this provider. */
  isRequired: bool("is_required").notNull(),
  lastUsedAt: instant("last_used_at"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** A user's identity at an identity provider. Once linked, the e-mail is not compared. */
export const externalIdentities = table(
  "external_identities",
  {
    organizationId: foreignId("organization_id", () => organizations.id),
    issuer: string("issuer").notNull(),
    subject: string("subject").notNull(),
    userId: foreignId("user_id", () => users.id),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.issuer, t.subject] }),
    index("external_identities_user").on(t.userId, t.organizationId),
  ],
);

/**
 * Each sign-in completes once, in its browser. Secrets are hashed; nonce and code verifier derive
 * from the browser's secret.
 */
export const ssoLogins = table(
  "sso_logins",
  {
    stateHash: string("state_hash").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    browserHash: string("browser_hash").notNull(),
    requestId: string("request_id"),
    initiatedBy: oneOf("initiated_by", SSO_INITIATORS).notNull(),
    relayPath: string("relay_path").notNull(),
    /** True if a program waits for the code; it listens at `loopbackUri` if set. */
    forProgram: bool("for_program").notNull(),
    loopbackUri: string("loopback_uri"),
    /** True if the provider was asked to re-authenticate the user. */
    again: bool("again").notNull().default(false),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("sso_logins_expiry").on(t.expiresAt)],
);

/** One-time codes that complete a sign-in. Only a hash is stored. */
export const ssoCodes = table(
  "sso_codes",
  {
    codeHash: string("code_hash").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    userId: foreignId("user_id", () => users.id),
    proofId: id("proof_id").references(() => addressProofs.id),
    authenticatedAt: instant("authenticated_at"),
    /** The browser that must present the code; null for a sign-in initiated by the provider. */
    browserHash: string("browser_hash"),
    /** True if a program waits for the code; it listens at `loopbackUri` if set. */
    forProgram: bool("for_program").notNull().default(false),
    loopbackUri: string("loopback_uri"),
    initiatedBy: oneOf("initiated_by", SSO_INITIATORS).notNull(),
    relayPath: string("relay_path").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("sso_codes_expiry").on(t.expiresAt)],
);
