import { z } from "zod";
import { removeWorkspaceRole } from "../../db/identity/members.ts";
import { AppError } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { requireSelfOrAdministrator } from "./member.ts";
import { workspaceMemberPath } from "./workspace-member.ts";

export const removeWorkspaceMember = endpoint({
  name: "removeWorkspaceMember",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/members/:user_id",
  group: "Members",
  summary: "Remove a member's role in a workspace",
  logged: "Removed {user_id} from workspace {workspace_id}",
  description: "Removes a member's role in one workspace. Access through the organization role stays.",
  access: { workspace: "viewer" },
  notATool: "account administration",
  input: z.strictObject(workspaceMemberPath),
  output: z.object({ id: Id, removed: z.literal(true) }),
  errors: ["NOT_FOUND"],
  async handle({ user_id }, context) {
    await requireSelfOrAdministrator(user_id, { workspace: "editor" }, context);
    if (!(await removeWorkspaceRole(context.tenant, user_id)))
      throw new AppError("NOT_FOUND", "This member has no role of their own in this workspace.");
    return { id: user_id, removed: true as const };
  },
});
