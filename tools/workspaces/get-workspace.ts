import { z } from "zod";
import { findWorkspace } from "../../db/catalog/workspaces.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { shapeWorkspace, Workspace } from "./workspace.ts";

export const getWorkspace = endpoint({
  name: "getWorkspace",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id",
  group: "Workspaces",
  summary: "Read a workspace",
  description: "Read the name and dates of one workspace. list_workspaces has the same for all.",
  access: { workspace: "viewer" },
  input: z.strictObject(workspacePath),
  output: Workspace,
  async handle(_input, { tenant }) {
    return shapeWorkspace(requireFound(await findWorkspace(tenant), "workspace"));
  },
});
