import { z } from "zod";
import { listMembers as listMemberRows, listWorkspaceRoles } from "../../db/identity/members.ts";
import { listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { Member, shapeMember } from "./member.ts";

export const listMembers = endpoint({
  name: "listMembers",
  method: "GET",
  path: "/v1/organizations/:organization_id/members",
  group: "Members",
  summary: "List the members of an organization",
  description: "Lists the members of an organization with all their roles, including suspended members.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({ ...organizationPath, ...listQuery }),
  output: listSchema(Member),
  async handle(input, { tenant }) {
    const rows = await listMemberRows(tenant, parsePagination("members", input));
    const roles = await listWorkspaceRoles(
      tenant,
      rows.map(({ userId }) => userId),
    );
    return toPage("members", input, rows, { key: (row) => [row.userId], row: (row) => shapeMember(row, roles) });
  },
});
