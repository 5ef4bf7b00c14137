import { z } from "zod";
import { countGroupMembers, listScimGroups as listRows } from "../../db/identity/provisioning/scim-groups.ts";
import { listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { ScimGroupMapping, shapeScimGroup } from "./scim-group.ts";

export const listScimGroups = endpoint({
  name: "listScimGroups",
  method: "GET",
  path: "/v1/organizations/:organization_id/scim-groups",
  group: "SSO",
  summary: "List an identity provider's groups",
  description: "Lists the groups sent by your identity provider, with the role of each.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({ ...organizationPath, ...listQuery }),
  output: listSchema(ScimGroupMapping),
  async handle(input, { tenant }) {
    const { limit, after } = parsePagination("scim-groups", input);
    const rows = await listRows(tenant, {}, { limit: limit + 1, afterId: after?.[0] });
    const members = await countGroupMembers(
      tenant,
      rows.map(({ id }) => id),
    );
    return toPage("scim-groups", input, rows, {
      key: (row) => [row.id],
      row: (row) => shapeScimGroup(row, members.get(row.id) ?? 0),
    });
  },
});
