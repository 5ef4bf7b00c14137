import { z } from "zod";
import { findWorkspace, updateWorkspace } from "../../db/catalog/workspaces.ts";
import { listPlannedAnalyses } from "../../db/analyses/due-collects.ts";
import { notFound } from "../../core/shared/errors.ts";
import { workspacePath } from "../../core/shared/fields.ts";
import { cancelPlanned } from "../collects/cancel-planned.ts";
import { cancelRounds } from "../collects/rounds.ts";
import { endpoint } from "../endpoint.ts";
import { shapeWorkspace, Workspace } from "./workspace.ts";

export const archiveWorkspace = endpoint({
  name: "archiveWorkspace",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/archive",
  group: "Workspaces",
  summary: "Archive a workspace",
  logged: "Archived workspace {workspace_id}",
  description:
    "Archives a workspace: it leaves lists, becomes read-only, and starts no new runs. Planned runs are canceled and their credits released; a run in progress completes. After restoring it, confirm the setup of each analysis again to continue its runs.",
  access: { organization: "editor" },
  input: z.strictObject(workspacePath),
  output: Workspace,
  async handle({ workspace_id: workspaceId }, { tenant: organization, now, newId }) {
    const tenant = { ...organization, workspaceId };
    const row = await findWorkspace(tenant);
    // Keeps the first date when a workspace is archived again.
    const archived =
      row && (row.archivedAt === null ? await updateWorkspace(tenant, { archivedAt: now, updatedAt: now }) : row);
    if (!archived) throw notFound("workspace");
    for (const analysis of await listPlannedAnalyses(tenant)) {
      if (analysis.status === "paused") await cancelPlanned(tenant, analysis, { now, newId });
      else await cancelRounds(tenant, analysis, { now, newId });
    }
    return shapeWorkspace(archived);
  },
});
