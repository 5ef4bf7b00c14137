import { z } from "zod";
import { updateWorkspace as updateWorkspaceRow } from "../../db/catalog/workspaces.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { nameSchema, workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { shapeWorkspace, Workspace } from "./workspace.ts";

export const updateWorkspace = endpoint({
  name: "updateWorkspace",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id",
  group: "Workspaces",
  summary: "Rename a workspace",
  logged: "Renamed workspace {workspace_id} to {name}",
  description: "Renames a workspace.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...workspacePath, name: nameSchema(200).optional() }),
  output: Workspace,
  async handle({ name: given }, { tenant, now }) {
    return shapeWorkspace(requireFound(await updateWorkspaceRow(tenant, { name: given, updatedAt: now }), "workspace"));
  },
});
