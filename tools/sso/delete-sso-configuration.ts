import { z } from "zod";
import { deleteSsoConfiguration as deleteRow } from "../../db/identity/sso.ts";
import { notFound } from "../../core/shared/errors.ts";
import { organizationPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";

export const deleteSsoConfiguration = endpoint({
  name: "deleteSsoConfiguration",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/sso",
  group: "SSO",
  summary: "Remove an organization's single sign-on",
  logged: "Removed single sign-on",
  description: "Ends sign-in through an identity provider. Accounts stay; people need a password to sign in.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: z.strictObject(organizationPath),
  output: z.object({ deleted: z.literal(true) }),
  async handle(_input, { tenant }) {
    if (!(await deleteRow(tenant))) throw notFound("single sign-on configuration");
    return { deleted: true as const };
  },
});
