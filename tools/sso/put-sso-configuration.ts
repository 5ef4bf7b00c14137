import { z } from "zod";
import { parseCertificate } from "../../auth/sso/saml-certificate.ts";
import {
  toSsoClientSealContext,
  findSsoConfiguration,
  saveSsoConfiguration,
  type SsoConfiguration as Row,
} from "../../db/identity/sso.ts";
import { invalidInput, type FieldError } from "../../core/shared/errors.ts";
import { organizationPath } from "../../core/shared/fields.ts";
import { endpoint, type Context } from "../endpoint.ts";
import { shapeSsoConfiguration, SsoConfiguration, ssoFields } from "./sso-configuration.ts";

const ssoInputSchema = z.strictObject({ ...organizationPath, ...ssoFields });
type Wanted = z.output<typeof ssoInputSchema>;

export const putSsoConfiguration = endpoint({
  name: "putSsoConfiguration",
  method: "PUT",
  path: "/v1/organizations/:organization_id/sso",
  group: "SSO",
  summary: "Set an organization's single sign-on",
  logged: "Set up single sign-on",
  description: "Configures sign-in through the organization's identity provider. Replaces an earlier configuration.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: ssoInputSchema,
  output: SsoConfiguration,
  async handle(wanted, { tenant, sealer, now }) {
    const certificates = wanted.protocol === "saml" ? wanted.certificates.map(parseCertificate) : [];
    const wrong = [...findWrongFields(wanted), ...certificates.flatMap(toCertificateErrors)];
    if (wrong.length > 0) throw invalidInput(wrong);
    const existing = await findSsoConfiguration(tenant);
    const stored = await saveSsoConfiguration(tenant, {
      protocol: wanted.protocol,
      issuer: wanted.issuer,
      clientId: wanted.client_id ?? null,
      sealedClientSecret: sealClientSecret(wanted, existing, { tenant, sealer }),
      scopes: wanted.protocol === "oidc" ? wanted.scopes : [],
      signInUrl: wanted.sign_in_url ?? null,
      certificates: certificates.flatMap((one) => ("pem" in one ? one.pem : [])),
      emailClaim: wanted.email_claim,
      nameClaim: wanted.name_claim,
      groupsClaim: wanted.groups_claim,
      trustsEmail: wanted.trusts_email,
      allowedDomains: wanted.allowed_domains,
      makesAccounts: wanted.makes_accounts,
      defaultRole: wanted.default_role,
      groupRoles: wanted.group_roles,
      acceptsIdpInitiated: wanted.accepts_idp_initiated,
      isRequired: wanted.is_required,
      createdAt: existing?.createdAt ?? now,
      updatedAt: now,
    });
    return shapeSsoConfiguration(stored);
  },
});

function findWrongFields(wanted: Wanted): FieldError[] {
  const isOidc = wanted.protocol === "oidc";
  const rules: [path: keyof Wanted, isWrong: boolean, message: string][] = [
    ["issuer", isOidc && !isProviderAddress(wanted.issuer), "must be an https address without query or fragment"],
    ["client_id", isOidc && wanted.client_id === undefined, "is needed for oidc"],
    ["client_id", !isOidc && wanted.client_id !== undefined, "cannot be set for saml"],
    ["client_secret", !isOidc && typeof wanted.client_secret === "string", "cannot be set for saml"],
    ["sign_in_url", isOidc && wanted.sign_in_url !== undefined, "cannot be set for oidc"],
    ["sign_in_url", !isOidc && !isWebAddress(wanted.sign_in_url), "is needed for saml, as an https address"],
    ["certificates", isOidc && wanted.certificates.length > 0, "cannot be set for oidc"],
    ["certificates", !isOidc && wanted.certificates.length === 0, "is needed for saml"],
  ];
  return rules.filter(([, isWrong]) => isWrong).map(([path, , message]) => ({ path, message }));
}

function toCertificateErrors(read: ReturnType<typeof parseCertificate>, at: number): FieldError[] {
  return "fault" in read ? [{ path: `certificates.${at}`, message: read.fault }] : [];
}

/** The operator decides whether loopback providers may be called. */
function isWebAddress(address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  const isLocal = protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return (protocol === "https:" || isLocal) && username === "" && password === "";
}

/** OpenID Connect Discovery 1.0, section 3. */
function isProviderAddress(address: string): boolean {
  return isWebAddress(address) && !/[?#]/.test(address);
}

/** Reuses a stored secret only for its issuer, so that no other provider receives it. */
function sealClientSecret(
  { client_secret: secret, issuer }: Wanted,
  known: Row | undefined,
  { tenant, sealer }: Pick<Context, "tenant" | "sealer">,
): string | null {
  if (typeof secret === "string") return sealer.seal(secret, toSsoClientSealContext(tenant.organizationId));
  return secret === undefined && known?.issuer === issuer ? known.sealedClientSecret : null;
}
