import { SSO_INITIATORS, SSO_PROTOCOLS, SSO_ROLES, type GroupRole } from "../../../core/identity/sso.ts";
import { bool, id, idOf, index, instant, json, oneOf, primaryKey, string, table } from "../../engine/columns.ts";
import { addressProofs, organizations, users } from "./identity.ts";

/** The identity provider of an organization: at most one. Columns of the other protocol are null or empty. */
export const ssoConfigurations = table("sso_configurations", {
  organizationId: id("organization_id")
    .primaryKey()
    .references(() => organizations.id),
  protocol: oneOf("protocol", SSO_PROTOCOLS).notNull(),
  /** OpenID Connect: the issuer. SAML: the entity ID of the identity provider. */
  issuer: string("issuer").notNull(),
  /** OpenID Connect. */
  clientId: string("client_id"),
  sealedClientSecret: string("sealed_client_secret"),
  scopes: json<string[]>("scopes").notNull(),
  /** SAML: where requests are sent, and the certificates (PEM) that its answers are signed with. */
  signInUrl: string("sign_in_url"),
  certificates: json<string[]>("certificates").notNull(),
  /** Names of the claims, or SAML attributes, that an account is made from. */
  emailClaim: string("email_claim").notNull(),
  nameClaim: string("name_claim").notNull(),
  groupsClaim: string("groups_claim").notNull(),
  /** True if an e-mail counts as verified although the provider does not say whether it is. */
  trustsEmail: bool("trusts_email").notNull(),
  /** Narrows the organization's verified domains; empty is all of them. */
  allowedDomains: json<string[]>("allowed_domains").notNull(),
  makesAccounts: bool("makes_accounts").notNull(),
  defaultRole: oneOf("default_role", SSO_ROLES).notNull(),
  groupRoles: json<GroupRole[]>("group_roles").notNull(),
  /** True if a sign-in may begin at the identity provider. */
  acceptsIdpInitiated: bool("accepts_idp_initiated").notNull(),
  /** True if members who are not owners reach the organization in no other way. */
  isRequired: bool("is_required").notNull(),
  lastUsedAt: instant("last_used_at"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** A person's identity at an organization's identity provider. Once linked, the e-mail no longer matters. */
export const externalIdentities = table(
  "external_identities",
  {
    organizationId: idOf("organization_id", () => organizations.id),
    issuer: string("issuer").notNull(),
    subject: string("subject").notNull(),
    userId: idOf("user_id", () => users.id),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.issuer, t.subject] }),
    index("external_identities_user").on(t.userId, t.organizationId),
  ],
);

/**
 * A sign-in that is under way at an identity provider. It can be ended once, and only in the browser that began it:
 * neither the state nor the browser's secret is kept, and nonce and code verifier are made from that secret.
 */
export const ssoLogins = table(
  "sso_logins",
  {
    stateHash: string("state_hash").primaryKey(),
    organizationId: idOf("organization_id", () => organizations.id),
    browserHash: string("browser_hash").notNull(),
    /** SAML: the identifier of our request, which the answer must name. */
    requestId: string("request_id"),
    initiatedBy: oneOf("initiated_by", SSO_INITIATORS).notNull(),
    relayPath: string("relay_path").notNull(),
    /** True if a program is waiting for the code; it listens at `loopbackUri` if that is given. */
    forProgram: bool("for_program").notNull(),
    loopbackUri: string("loopback_uri"),
    /** True if the provider was asked to authenticate the person even if it remembers them. */
    again: bool("again").notNull().default(false),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("sso_logins_expiry").on(t.expiresAt)],
);

/** One-time codes that end a sign-in. Only a hash is kept. */
export const ssoCodes = table(
  "sso_codes",
  {
    codeHash: string("code_hash").primaryKey(),
    organizationId: idOf("organization_id", () => organizations.id),
    userId: idOf("user_id", () => users.id),
    /** The proof that the provider gave. */
    proofId: id("proof_id").references(() => addressProofs.id),
    /** When the person authenticated at the provider; null if it did not say. */
    authenticatedAt: instant("authenticated_at"),
    /** The browser that must bring the code; null if the identity provider began. */
    browserHash: string("browser_hash"),
    /** True if a program is waiting for a code; it listens at `loopbackUri` if that is given. */
    forProgram: bool("for_program").notNull().default(false),
    loopbackUri: string("loopback_uri"),
    initiatedBy: oneOf("initiated_by", SSO_INITIATORS).notNull(),
    relayPath: string("relay_path").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("sso_codes_expiry").on(t.expiresAt)],
);
