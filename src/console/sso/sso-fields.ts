import type { z } from "zod";
import type { SsoConfiguration } from "../../../tools/sso/sso-configuration.ts";
import type { StoredValues } from "../../http/pages/stale-form.ts";

const USUAL_SCOPES = "openid email profile";
const DEFAULT_FIELDS: StoredValues = {
  issuer: "",
  client_id: "",
  scopes: USUAL_SCOPES,
  sign_in_url: "",
  certificates: "",
  email_claim: "email",
  name_claim: "name",
  groups_claim: "groups",
  allowed_domains: "",
  default_role: "viewer",
  group_roles: "",
  makes_accounts: "1",
  trusts_email: "",
  accepts_idp_initiated: "",
  is_required: "",
};
const EXCLUDED_FIELDS = { oidc: ["sign_in_url", "certificates"], saml: ["client_id", "scopes"] };

const toCheckboxValue = (isTicked: boolean) => (isTicked ? "1" : "");

/** Omits the client secret. */
export function toSsoFormValues(configuration: z.input<typeof SsoConfiguration>): StoredValues {
  return {
    issuer: configuration.issuer,
    client_id: configuration.client_id ?? "",
    scopes: configuration.scopes.join(" ") || USUAL_SCOPES,
    sign_in_url: configuration.sign_in_url ?? "",
    certificates: configuration.certificates.join("\n"),
    email_claim: configuration.email_claim,
    name_claim: configuration.name_claim,
    groups_claim: configuration.groups_claim,
    allowed_domains: configuration.allowed_domains.join("\n"),
    default_role: configuration.default_role,
    group_roles: configuration.group_roles.map((one) => `${one.group} = ${one.role}`).join("\n"),
    makes_accounts: toCheckboxValue(configuration.makes_accounts),
    trusts_email: toCheckboxValue(configuration.trusts_email),
    accepts_idp_initiated: toCheckboxValue(configuration.accepts_idp_initiated),
    is_required: toCheckboxValue(configuration.is_required),
  };
}

export function buildProtocolFields(
  configuration: z.input<typeof SsoConfiguration> | undefined,
  protocol: keyof typeof EXCLUDED_FIELDS,
): StoredValues {
  const all = Object.entries(configuration ? toSsoFormValues(configuration) : DEFAULT_FIELDS);
  return Object.fromEntries(all.filter(([field]) => !EXCLUDED_FIELDS[protocol].includes(field)));
}
