import { z } from "zod";
import { requireFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { deleteExport as deleteExportRow, findExport } from "../../db/exports/exports.ts";
import { authorise } from "../../auth/authorise.ts";
import type { Caller } from "../../auth/caller.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { endpoint } from "../endpoint.ts";
import { exportPathFields } from "./export.ts";

export const deleteExport = endpoint({
  name: "deleteExport",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/exports/:export_id",
  group: "Analyses",
  summary: "Delete an export",
  logged: "Deleted export {export_id}",
  description: "Deletes an export with its link and file. Only its creator and editors can. The exported data stays.",
  access: { workspace: "viewer" },
  isAllowedWhenArchived: true,
  notATool: "bulk data",
  input: z.strictObject(exportPathFields),
  output: z.object({ id: Id, deleted: z.literal(true) }),
  async handle({ export_id: id }, { tenant, caller, userId }) {
    const row = requireFound(await findExport(tenant, id), "export");
    if (row.createdBy !== userId) await requireEditor(tenant, caller);
    await deleteExportRow(tenant, id);
    return { id, deleted: true as const };
  },
});

/** FORBIDDEN for viewers, who cannot delete the export of another person. */
async function requireEditor({ db, organizationId, workspaceId }: Tenant, caller: Caller | null): Promise<void> {
  const need = { access: { workspace: "editor" }, scope: "read", isWrite: false } as const;
  await authorise(need, { organizationId, workspaceId, projectId: null }, caller ?? undefined, db);
}
