import { z } from "zod";
import { findPartnerConnection } from "../../db/partner-connections.ts";
import { listOf, listQuery, workspacePath } from "../../src/core/fields.ts";
import { pageOf, readPage } from "../../src/core/page.ts";
import { endpoint } from "../endpoint.ts";
import { PlatformIntegration, shapeConnection } from "./platform-integration.ts";

export const listPlatformIntegrations = endpoint({
  name: "listPlatformIntegrations",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/platform-integrations",
  group: "Platform Integrations",
  summary: "List platform integrations",
  description: "Use this to see which platforms a workspace is connected to. Secrets are never shown.",
  access: { workspace: "editor" },
  notATool: "account administration",
  input: z.strictObject({ ...workspacePath, ...listQuery }),
  output: listOf(PlatformIntegration),
  async handle(input, { tenant }) {
    const page = readPage("platform-integrations", input);
    const connection = await findPartnerConnection(tenant);
    const rows = connection && page.after === null ? [connection] : [];
    return pageOf("platform-integrations", input, rows, { key: () => ["partner"], row: shapeConnection });
  },
});
