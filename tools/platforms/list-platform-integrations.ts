import { z } from "zod";
import { findPartnerConnection } from "../../db/platforms/partner-connections.ts";
import { listPlatformConnections } from "../../db/platforms/platform-connections.ts";
import { listSchema, listQuery, workspacePath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { PlatformIntegration, shapeConnection, shapePartner } from "./platform-integration.ts";

export const listPlatformIntegrations = endpoint({
  name: "listPlatformIntegrations",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations",
  group: "Platform Integrations",
  summary: "List platform integrations",
  description: "Lists the platforms that a workspace is connected to. Secrets are never shown.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({ ...workspacePath, ...listQuery }),
  output: listSchema(PlatformIntegration),
  async handle(input, { tenant }) {
    const { limit, after } = parsePagination("platform-integrations", input);
    const partner = await findPartnerConnection(tenant);
    const connections = await listPlatformConnections(tenant);
    const all = [...connections.map(shapeConnection), ...(partner ? [shapePartner(partner)] : [])];
    const rows = all
      .toSorted((a, b) => (a.platform < b.platform ? -1 : 1))
      .filter(({ platform }) => after === null || platform > (after[0] ?? ""))
      .slice(0, limit + 1);
    return toPage("platform-integrations", input, rows, { key: ({ platform }) => [platform], row: (row) => row });
  },
});
