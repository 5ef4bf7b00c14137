import { z } from "zod";
import { requireFound } from "../../core/shared/errors.ts";
import { findExport } from "../../db/exports/exports.ts";
import { endpoint } from "../endpoint.ts";
import { Export, exportPathFields, shapeExport } from "./export.ts";

export const getExport = endpoint({
  name: "getExport",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/exports/:export_id",
  group: "Analyses",
  summary: "Read the state of an export",
  description:
    "Follow one exported file: its state, or the reason for failure. The result links to the file once it exists.",
  access: { workspace: "viewer" },
  restsOnWorkspace: true,
  notInTools: ["url"],
  page: "/exports/:organization_id/:workspace_id",
  input: z.strictObject(exportPathFields),
  output: Export,
  async handle({ export_id: id }, { tenant, exportLinks }) {
    const row = requireFound(await findExport(tenant, id), "export");
    return shapeExport(row, exportLinks);
  },
});
