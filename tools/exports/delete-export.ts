import { z } from "zod";
import { notFound } from "../../core/errors.ts";
import { Id } from "../../core/fields.ts";
import { deleteExport as deleteExportRow } from "../../db/measuring/exports.ts";
import { endpoint } from "../endpoint.ts";
import { exportPath } from "./export.ts";

export const deleteExport = endpoint({
  name: "deleteExport",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/exports/:export_id",
  group: "Analyses",
  summary: "Delete an export",
  logged: "Deleted export {export_id}",
  description: "Ends an export, its link and its file. What was exported stays.",
  access: { workspace: "viewer" },
  takenWhenArchived: true,
  notATool: "bulk data",
  input: z.strictObject(exportPath),
  output: z.object({ id: Id, deleted: z.literal(true) }),
  async handle({ export_id: id }, { tenant }) {
    if (!(await deleteExportRow(tenant, id))) throw notFound("export");
    return { id, deleted: true as const };
  },
});
