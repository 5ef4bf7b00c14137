import { z } from "zod";
import { findMember, findWorkspaceMember, setWorkspaceRole } from "../../db/identity/members.ts";
import { requireFound, notFound } from "../../core/shared/errors.ts";
import { WORKSPACE_ROLES } from "../../core/identity/roles.ts";
import { endpoint } from "../endpoint.ts";
import { shapeWorkspaceMember, WorkspaceMember, workspaceMemberPath } from "./workspace-member.ts";

export const setWorkspaceMember = endpoint({
  name: "setWorkspaceMember",
  method: "PUT",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/members/:user_id",
  group: "Members",
  summary: "Give a member a role in a workspace",
  logged: "Made {user_id} {role} of workspace {workspace_id}",
  description: "Gives a member of the organization a role in one workspace. The organization role stays.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({
    ...workspaceMemberPath,
    role: z.enum(WORKSPACE_ROLES).describe("Role in this workspace."),
  }),
  output: WorkspaceMember,
  errors: ["NOT_FOUND"],
  async handle({ user_id, role }, { tenant, now }) {
    if (!(await findMember(tenant, user_id))) throw notFound("member");
    await setWorkspaceRole(tenant, user_id, { role, at: now });
    return shapeWorkspaceMember(requireFound(await findWorkspaceMember(tenant, user_id), "member"));
  },
});
