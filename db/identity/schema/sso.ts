import { SSO_INITIATORS, SSO_PROTOCOLS, SSO_ROLES, type GroupRole } from "../../../core/identity/sso.ts";
import * as c from "../../engine/columns.ts";
import { addressProofs, organizations, users } from "./identity.ts";

/** At most one per organization. Columns of the other protocol are null or empty. */
export const ssoConfigurations = c.table("sso_configurations", {
  organizationId: c
    .id("organization_id")
    .primaryKey()
    .references(() => organizations.id),
  protocol: c.oneOf("protocol", SSO_PROTOCOLS).notNull(),
  /** For SAML, the entity id of the identity provider. */
  issuer: c.string("issuer").notNull(),
  clientId: c.string("client_id"),
  sealedClientSecret: c.string("sealed_client_secret"),
  scopes: c.json<string[]>("scopes").notNull(),
  /** For SAML. The certificates are PEM and verify responses. */
  signInUrl: c.string("sign_in_url"),
  certificates: c.json<string[]>("certificates").notNull(),
  /** Claims, or SAML attributes. */
  emailClaim: c.string("email_claim").notNull(),
  nameClaim: c.string("name_claim").notNull(),
  groupsClaim: c.string("groups_claim").notNull(),
  /** E-mails count as verified when the provider does not say. */
  trustsEmail: c.bool("trusts_email").notNull(),
  /** Subset of the organization's verified domains; empty for all. */
  allowedDomains: c.json<string[]>("allowed_domains").notNull(),
  makesAccounts: c.bool("makes_accounts").notNull(),
  defaultRole: c.oneOf("default_role", SSO_ROLES).notNull(),
  groupRoles: c.json<GroupRole[]>("group_roles").notNull(),
  acceptsIdpInitiated: c.bool("accepts_idp_initiated").notNull(),
  /** Members other than owners must sign in through this provider. */
  isRequired: c.bool("is_required").notNull(),
  lastUsedAt: c.instant("last_used_at"),
  createdAt: c.instant("created_at").notNull(),
  updatedAt: c.instant("updated_at").notNull(),
});

/** A user's identity at an identity provider. Once linked, the e-mail is not compared. */
export const externalIdentities = c.table(
  "external_identities",
  {
    organizationId: c.foreignId("organization_id", () => organizations.id),
    issuer: c.string("issuer").notNull(),
    subject: c.string("subject").notNull(),
    userId: c.foreignId("user_id", () => users.id),
    createdAt: c.instant("created_at").notNull(),
  },
  (t) => [
    c.primaryKey({ columns: [t.organizationId, t.issuer, t.subject] }),
    c.index("external_identities_user").on(t.userId, t.organizationId),
  ],
);

/** Completes once, in its browser. Nonce and code verifier derive from the browser's secret. */
export const ssoLogins = c.table(
  "sso_logins",
  {
    stateHash: c.string("state_hash").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    browserHash: c.string("browser_hash").notNull(),
    requestId: c.string("request_id"),
    initiatedBy: c.oneOf("initiated_by", SSO_INITIATORS).notNull(),
    relayPath: c.string("relay_path").notNull(),
    /** A program waits for the code; it listens at `loopbackUri` if set. */
    forProgram: c.bool("for_program").notNull(),
    loopbackUri: c.string("loopback_uri"),
    /** The provider was asked to re-authenticate the user. */
    again: c.bool("again").notNull().default(false),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
  },
  (t) => [c.index("sso_logins_expiry").on(t.expiresAt)],
);

/** Only a hash of the code is stored. */
export const ssoCodes = c.table(
  "sso_codes",
  {
    codeHash: c.string("code_hash").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    userId: c.foreignId("user_id", () => users.id),
    proofId: c.id("proof_id").references(() => addressProofs.id),
    authenticatedAt: c.instant("authenticated_at"),
    /** The browser that must present the code; null for a sign-in initiated by the provider. */
    browserHash: c.string("browser_hash"),
    forProgram: c.bool("for_program").notNull().default(false),
    loopbackUri: c.string("loopback_uri"),
    initiatedBy: c.oneOf("initiated_by", SSO_INITIATORS).notNull(),
    relayPath: c.string("relay_path").notNull(),
    createdAt: c.instant("created_at").notNull(),
    expiresAt: c.instant("expires_at").notNull(),
  },
  (t) => [c.index("sso_codes_expiry").on(t.expiresAt)],
);
