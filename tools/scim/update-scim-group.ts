import { z } from "zod";
import { findScimGroup, listGroupMembers, setScimGroupRole } from "../../db/identity/provisioning/scim-groups.ts";
import { applyGroupRoles } from "../../db/identity/provisioning/scim-roles.ts";
import { findWorkspace } from "../../db/catalog/workspaces.ts";
import { requireFound, notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { WORKSPACE_ROLES } from "../../core/identity/roles.ts";
import { MAX_GROUP_MEMBERS } from "../../core/identity/scim.ts";
import { SSO_ROLES } from "../../core/identity/sso.ts";
import { endpoint } from "../endpoint.ts";
import { ScimGroupMapping, scimGroupPathFields, shapeScimGroup } from "./scim-group.ts";

export const updateScimGroup = endpoint({
  name: "updateScimGroup",
  method: "PUT",
  path: "/v1/organizations/:organization_id/scim-groups/:scim_group_id",
  group: "SSO",
  summary: "Set the role of a group",
  logged: "Set the role of group {scim_group_id}",
  description: "Sets the role of a group's members: a role in the organization, a role in a workspace, or none.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: z
    .strictObject({
      ...scimGroupPathFields,
      organization_role: z.enum(SSO_ROLES).nullable().default(null).describe("Role in the organization."),
      workspace_id: Id.nullable().default(null).describe("Workspace for workspace_role, from list_workspaces."),
      workspace_role: z.enum(WORKSPACE_ROLES).nullable().default(null).describe("Role in the workspace."),
    })
    .refine((wanted) => (wanted.workspace_id === null) === (wanted.workspace_role === null), {
      path: ["workspace_role"],
      message: "goes with a workspace_id",
    })
    .refine((wanted) => wanted.organization_role === null || wanted.workspace_role === null, {
      path: ["organization_role"],
      message: "cannot be combined with workspace_role: a group grants one role",
    }),
  output: ScimGroupMapping,
  errors: ["NOT_FOUND"],
  async handle({ scim_group_id: id, ...wanted }, { tenant, now }) {
    if (!(await findScimGroup(tenant, id))) throw notFound("group");
    const { organization_role: organizationRole, workspace_id: workspaceId, workspace_role: workspaceRole } = wanted;
    if (workspaceId !== null && !(await findWorkspace({ ...tenant, workspaceId }))) throw notFound("workspace");
    await setScimGroupRole(tenant, id, { organizationRole, workspaceId, workspaceRole });
    const members = await listGroupMembers(tenant, [id], MAX_GROUP_MEMBERS);
    await applyGroupRoles(
      tenant,
      members.map(({ scimUserId }) => scimUserId),
      now,
    );
    const row = requireFound(await findScimGroup(tenant, id), "group");
    return shapeScimGroup(row, members.length);
  },
});
