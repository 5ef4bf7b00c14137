import { z } from "zod";
import { listScimTokens as listRows } from "../../db/identity/provisioning/scim-tokens.ts";
import { listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { ScimToken, shapeScimToken } from "./scim-token.ts";

export const listScimTokens = endpoint({
  name: "listScimTokens",
  method: "GET",
  path: "/v1/organizations/:organization_id/scim-tokens",
  group: "SSO",
  summary: "List an organization's SCIM tokens",
  description: "Lists the SCIM tokens with their last use and expiry.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({ ...organizationPath, ...listQuery }),
  output: listSchema(ScimToken),
  async handle(input, { tenant }) {
    const rows = await listRows(tenant, parsePagination("scim-tokens", input));
    return toPage("scim-tokens", input, rows, { key: (row) => [row.id], row: shapeScimToken });
  },
});
