import { z } from "zod";
import { findSsoConfiguration } from "../../db/identity/sso.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { organizationPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { shapeSsoConfiguration, SsoConfiguration } from "./sso-configuration.ts";

export const getSsoConfiguration = endpoint({
  name: "getSsoConfiguration",
  method: "GET",
  path: "/v1/organizations/:organization_id/sso",
  group: "SSO",
  summary: "Get an organization's single sign-on",
  description: "Returns the single sign-on configuration of an organization.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject(organizationPath),
  output: SsoConfiguration,
  async handle(_input, { tenant }) {
    return shapeSsoConfiguration(requireFound(await findSsoConfiguration(tenant), "single sign-on configuration"));
  },
});
