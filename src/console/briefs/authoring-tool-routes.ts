import { findPartnerConnection } from "../../../db/platforms/partner-connections.ts";
import { connectPartner } from "../../../tools/platforms/connect-partner.ts";
import { disconnectPartner } from "../../../tools/platforms/disconnect-partner.ts";
import { listPlatformIntegrations } from "../../../tools/platforms/list-platform-integrations.ts";
import { shapePartner } from "../../../tools/platforms/platform-integration.ts";
import { getWorkspace } from "../../../tools/workspaces/get-workspace.ts";
import { authoringToolAddress, renderAuthoringToolPage, toConnectionFields } from "./authoring-tool-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";

const CONNECT_TOOL_ACTION: FormAction = {
  endpoint: connectPartner,
  done: "Saved. You can now send briefs from this workspace.",
  stored: async (_input, { tenant }) => {
    const row = await findPartnerConnection(tenant);
    return row && toConnectionFields(shapePartner(row));
  },
  fields: (form) => ({
    ...(form.get("api_token") ? { api_token: form.get("api_token") } : {}),
    partner_workspace_id: form.get("partner_workspace_id"),
    recipients: (form.get("recipients") ?? "").split(/[\s,;]+/).filter(Boolean),
    max_brief_length: Number(form.get("max_brief_length")),
  }),
};
const DISCONNECT_TOOL_ACTION: FormAction = {
  endpoint: disconnectPartner,
  done: "Disconnected. Briefs already sent stay in the content tool.",
  fields: () => ({}),
};

export const authoringToolRoutes: readonly Route[] = pageWithForms(
  "/writers/:organization_id/:workspace_id",
  showAuthoringTool,
  { connect: CONNECT_TOOL_ACTION, disconnect: DISCONNECT_TOOL_ACTION },
);

async function showAuthoringTool(visit: Visit, { status, ...notice }: Notice): Promise<void> {
  const input = { ...visit.request.params };
  const workspace = await visit.call(getWorkspace, input);
  const { data } = await visit.call(listPlatformIntegrations, input);
  const view = {
    address: authoringToolAddress({ organization_id: workspace.organization_id, workspace_id: workspace.id }),
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    connection: data.find(({ platform }) => platform === "partner"),
    ...notice,
  };
  showPage(visit, { title: "Content tool", section: "settings", status, content: renderAuthoringToolPage(view) });
}
