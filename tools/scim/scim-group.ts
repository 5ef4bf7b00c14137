import { z } from "zod";
import type { ScimGroupRow } from "../../db/identity/provisioning/scim-groups.ts";
import { Id, InstantField, organizationPath, outsideTextSchema } from "../../core/shared/fields.ts";
import { SSO_ROLES } from "../../core/identity/sso.ts";
import { WORKSPACE_ROLES } from "../../core/identity/roles.ts";

export const scimGroupPathFields = {
  ...organizationPath,
  scim_group_id: Id.describe("Group id, from listScimGroups."),
};

export const ScimGroupMapping = z
  .object({
    id: Id,
    name: outsideTextSchema().describe("Name at the identity provider."),
    members: z.int(),
    organization_role: z.enum(SSO_ROLES).nullable().describe("Organization role of the group's members."),
    workspace_id: Id.nullable(),
    workspace_role: z.enum(WORKSPACE_ROLES).nullable().describe("Role of the group's members in that workspace."),
    created_at: InstantField,
  })
  .meta({ id: "ScimGroup" });

export function shapeScimGroup(row: ScimGroupRow, members: number): z.input<typeof ScimGroupMapping> {
  const { id, displayName: name, organizationRole: role } = row;
  return {
    id,
    name,
    members,
    organization_role: role === "owner" ? null : role,
    workspace_id: row.workspaceId,
    workspace_role: row.workspaceRole,
    created_at: row.createdAt,
  };
}
