import { z } from "zod";
import { listSchema, listQuery, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { listExports as listExportRows } from "../../db/exports/exports.ts";
import { endpoint } from "../endpoint.ts";
import { Export, shapeExport } from "./export.ts";

export const listExports = endpoint({
  name: "listExports",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/exports",
  group: "Analyses",
  summary: "List exported files",
  description:
    "Find files exported in the last 24 hours, newest first. Results link to the files; people create exports in the console.",
  access: { workspace: "viewer" },
  whenEmpty:
    "No file was exported in the last 24 hours. A person exports rows on the page /exports/:organization_id/:workspace_id.",
  restsOnWorkspace: true,
  notInTools: ["url"],
  page: "/exports/:organization_id/:workspace_id",
  input: z.strictObject({ ...workspacePath, ...listQuery }),
  output: listSchema(Export),
  async handle(input, { tenant, exportLinks }) {
    const rows = await listExportRows(tenant, parsePagination("exports", input));
    return toPage("exports", input, rows, {
      key: (row) => [row.id],
      row: (row) => shapeExport(row, exportLinks),
    });
  },
});
