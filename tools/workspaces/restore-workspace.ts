import { z } from "zod";
import { requireQuota } from "../../db/credits/quotas.ts";
import { findWorkspace, updateWorkspace } from "../../db/catalog/workspaces.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { shapeWorkspace, Workspace } from "./workspace.ts";

export const restoreWorkspace = endpoint({
  name: "restoreWorkspace",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/restore",
  group: "Workspaces",
  summary: "Restore an archived workspace",
  logged: "Restored workspace {workspace_id}",
  description: "Restores an archived workspace. To continue the runs of an analysis, confirm its setup again.",
  access: { organization: "editor" },
  input: z.strictObject(workspacePath),
  output: Workspace,
  errors: ["QUOTA_EXCEEDED"],
  async handle({ workspace_id: workspaceId }, { tenant: organization, now }) {
    const tenant = { ...organization, workspaceId };
    const row = requireFound(await findWorkspace(tenant), "workspace");
    if (row.archivedAt === null) return shapeWorkspace(row);
    await requireQuota(tenant, "workspaces");
    const restored = await updateWorkspace(tenant, { archivedAt: null, updatedAt: now });
    return shapeWorkspace(restored ?? row);
  },
});
