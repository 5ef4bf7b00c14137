import { z } from "zod";
import { listWorkspaceMembers as listMemberRows } from "../../db/identity/members.ts";
import { listSchema, listQuery, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { shapeWorkspaceMember, WorkspaceMember } from "./workspace-member.ts";

export const listWorkspaceMembers = endpoint({
  name: "listWorkspaceMembers",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/members",
  group: "Members",
  summary: "List the members of a workspace",
  description: "Lists every member who can read or edit a workspace through a role in it or in the organization.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({ ...workspacePath, ...listQuery }),
  output: listSchema(WorkspaceMember),
  async handle(input, { tenant }) {
    const rows = await listMemberRows(tenant, parsePagination("workspace-members", input));
    return toPage("workspace-members", input, rows, { key: (row) => [row.userId], row: shapeWorkspaceMember });
  },
});
