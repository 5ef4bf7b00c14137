import { z } from "zod";
import { findWorkspaceMember } from "../../db/identity/members.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { shapeWorkspaceMember, WorkspaceMember, workspaceMemberPath } from "./workspace-member.ts";

export const getWorkspaceMember = endpoint({
  name: "getWorkspaceMember",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/members/:user_id",
  group: "Members",
  summary: "Read the role of one member in a workspace",
  description: "Returns the role of one member in a workspace and its origin.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject(workspaceMemberPath),
  output: WorkspaceMember,
  async handle({ user_id }, { tenant }) {
    return shapeWorkspaceMember(requireFound(await findWorkspaceMember(tenant, user_id), "member"));
  },
});
