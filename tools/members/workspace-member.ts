import { z } from "zod";
import type { WorkspaceMemberRow } from "../../db/identity/members.ts";
import { Id, workspacePath } from "../../core/shared/fields.ts";
import { resolveWorkspaceRole, ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../core/identity/roles.ts";
import { personFields, shapePerson } from "./member.ts";

export const workspaceMemberPath = {
  ...workspacePath,
  user_id: Id.describe("Member id, from a list of members."),
};

export const WorkspaceMember = z
  .object({
    ...personFields,
    role: z.enum(WORKSPACE_ROLES).describe("Effective role: the stronger of the two roles below."),
    workspace_role: z.enum(WORKSPACE_ROLES).nullable().describe("Role in this workspace; null for none."),
    organization_role: z.enum(ORGANIZATION_ROLES),
  })
  .meta({ id: "WorkspaceMember" });

export function shapeWorkspaceMember(row: WorkspaceMemberRow): z.input<typeof WorkspaceMember> {
  return {
    ...shapePerson(row),
    // Listed members have access to the workspace, so a role exists.
    role: resolveWorkspaceRole(row.role, row.workspaceRole) ?? "viewer",
    workspace_role: row.workspaceRole,
    organization_role: row.role,
  };
}
