import { z } from "zod";
import type { SsoConfiguration as Row } from "../../db/identity/sso.ts";
import { Domain, InstantField, nameSchema, textSchema } from "../../core/shared/fields.ts";
import { SSO_PROTOCOLS, SSO_ROLES } from "../../core/identity/sso.ts";

const claimField = (usual: string) =>
  nameSchema(200).default(usual).describe(`Name of the claim or SAML attribute; default ${usual}.`);
const isUnique = (list: readonly string[]) => new Set(list).size === list.length;

/** Fields that an owner sets. `putSsoConfiguration` rejects fields of the other protocol. */
export const ssoFields = {
  protocol: z.enum(SSO_PROTOCOLS).describe("oidc: OpenID Connect; saml: SAML 2.0."),
  issuer: nameSchema(1000).describe("OpenID Connect: the issuer's address. SAML: the provider's entity ID."),
  client_id: nameSchema(500).optional().describe("OpenID Connect: client ID of this service at the provider."),
  client_secret: textSchema(1000)
    .min(1)
    .nullable()
    .optional()
    .describe("OpenID Connect: client secret; omit to keep the stored one, null for none."),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/, "must be a scope"))
    .max(20)
    .refine((list) => list.includes("openid"), "must include openid")
    .default(["openid", "email", "profile"])
    .describe("OpenID Connect: requested scopes."),
  sign_in_url: z.url().max(1000).optional().describe("SAML: single sign-on URL of the provider."),
  certificates: z
    .array(z.string().min(1).max(10_000))
    .max(5)
    .default([])
    .describe("SAML: signing certificates (PEM); two while one replaces the other."),
  email_claim: claimField("email"),
  name_claim: claimField("name"),
  groups_claim: claimField("groups"),
  trusts_email: z.boolean().default(false).describe("true: treat e-mails as verified if the provider does not say."),
  allowed_domains: z
    .array(Domain)
    .max(50)
    .refine(isUnique, "must not repeat a domain")
    .default([])
    .describe("Verified domains of the organization whose people can sign in; empty: all."),
  makes_accounts: z.boolean().default(true).describe("true: create an account at a person's first sign-in."),
  default_role: z.enum(SSO_ROLES).default("viewer").describe("Role of such new accounts."),
  group_roles: z
    .array(z.strictObject({ group: nameSchema(200), role: z.enum(SSO_ROLES) }))
    .max(100)
    .refine((list) => isUnique(list.map(({ group }) => group)), "must not repeat a group")
    .default([])
    .describe("Roles by group, applied at each sign-in; the strongest counts. Owners are not changed."),
  accepts_idp_initiated: z.boolean().default(false).describe("true: accept sign-ins that start at the provider."),
  is_required: z
    .boolean()
    .default(false)
    .describe("true: members who are not owners can access the organization only through the provider."),
};

export const SsoConfiguration = z
  .object({
    protocol: z.enum(SSO_PROTOCOLS),
    issuer: z.string(),
    client_id: z.string().nullable(),
    has_client_secret: z.boolean(),
    scopes: z.array(z.string()),
    sign_in_url: z.string().nullable(),
    certificates: z.array(z.string()),
    email_claim: z.string(),
    name_claim: z.string(),
    groups_claim: z.string(),
    trusts_email: z.boolean(),
    allowed_domains: z.array(z.string()),
    makes_accounts: z.boolean(),
    default_role: z.enum(SSO_ROLES),
    group_roles: z.array(z.object({ group: z.string(), role: z.enum(SSO_ROLES) })),
    accepts_idp_initiated: z.boolean(),
    is_required: z.boolean(),
    last_used_at: InstantField.nullable().describe("Time of the last sign-in through the provider."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "SsoConfiguration" });

export function shapeSsoConfiguration(row: Row): z.input<typeof SsoConfiguration> {
  return {
    protocol: row.protocol,
    issuer: row.issuer,
    client_id: row.clientId,
    has_client_secret: row.sealedClientSecret !== null,
    scopes: row.scopes,
    sign_in_url: row.signInUrl,
    certificates: row.certificates,
    email_claim: row.emailClaim,
    name_claim: row.nameClaim,
    groups_claim: row.groupsClaim,
    trusts_email: row.trustsEmail,
    allowed_domains: row.allowedDomains,
    makes_accounts: row.makesAccounts,
    default_role: row.defaultRole,
    group_roles: row.groupRoles,
    accepts_idp_initiated: row.acceptsIdpInitiated,
    is_required: row.isRequired,
    last_used_at: row.lastUsedAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
