import { z } from "zod";
import { revokeScimToken } from "../../db/identity/provisioning/scim-tokens.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id, organizationPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";

export const deleteScimToken = endpoint({
  name: "deleteScimToken",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/scim-tokens/:scim_token_id",
  group: "SSO",
  summary: "Revoke a SCIM token",
  logged: "Revoked SCIM token {scim_token_id}",
  description: "Revokes a SCIM token at once. Accounts that it created stay as they are.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: z.strictObject({
    ...organizationPath,
    scim_token_id: Id.describe("SCIM token id, from listScimTokens."),
  }),
  output: z.object({ revoked: z.literal(true) }),
  async handle({ scim_token_id }, { tenant, now }) {
    if (!(await revokeScimToken(tenant, scim_token_id, now))) throw notFound("SCIM token");
    return { revoked: true as const };
  },
});
