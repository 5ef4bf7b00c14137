import type { z } from "zod";
import type { SsoConfiguration } from "../../../tools/sso/sso-configuration.ts";
import type { Shown } from "../../http/pages/as-shown.ts";

const USUAL_SCOPES = "openid email profile";
/** What the fields hold where nothing is configured. */
const USUAL: Shown = {
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
/** Fields that the form of a protocol leaves out. */
const LEFT_OUT = { oidc: ["sign_in_url", "certificates"], saml: ["client_id", "scopes"] };

const box = (isTicked: boolean) => (isTicked ? "1" : "");

/** The fields of the form that edits a configuration of either protocol, but for its client secret. */
export function ssoFields(configuration: z.input<typeof SsoConfiguration>): Shown {
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
    makes_accounts: box(configuration.makes_accounts),
    trusts_email: box(configuration.trusts_email),
    accepts_idp_initiated: box(configuration.accepts_idp_initiated),
    is_required: box(configuration.is_required),
  };
}

/** What the form of a protocol shows. */
export function fieldsOf(
  configuration: z.input<typeof SsoConfiguration> | undefined,
  protocol: keyof typeof LEFT_OUT,
): Shown {
  const all = Object.entries(configuration ? ssoFields(configuration) : USUAL);
  return Object.fromEntries(all.filter(([field]) => !LEFT_OUT[protocol].includes(field)));
}
