import type { Router } from "express";
import { findPartnerConnection } from "../../../../db/acting/partner-connections.ts";
import { connectPartner } from "../../../../tools/platform-integrations/connect-partner.ts";
import { disconnectPartner } from "../../../../tools/platform-integrations/disconnect-partner.ts";
import { listPlatformIntegrations } from "../../../../tools/platform-integrations/list-platform-integrations.ts";
import { shapePartner } from "../../../../tools/platform-integrations/platform-integration.ts";
import { getWorkspace } from "../../../../tools/workspaces/get-workspace.ts";
import { consolePage } from "../pages/console.ts";
import { authoringToolAddress, authoringToolPage, connectionFields } from "../pages/authoring-tool.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { invokeAs, type Web } from "../visit.ts";

const CONNECT: FormAction = {
  endpoint: connectPartner,
  done: "Saved. You can now send briefs from this workspace.",
  stored: async (_input, { tenant }) => {
    const row = await findPartnerConnection(tenant);
    return row && connectionFields(shapePartner(row));
  },
  fields: (form) => ({
    ...(form.get("api_token") ? { api_token: form.get("api_token") } : {}),
    partner_workspace_id: form.get("partner_workspace_id"),
    recipients: (form.get("recipients") ?? "").split(/[\s,;]+/).filter(Boolean),
    max_brief_length: Number(form.get("max_brief_length")),
  }),
};
const DISCONNECT: FormAction = {
  endpoint: disconnectPartner,
  done: "Disconnected. Briefs already sent stay in the authoring tool.",
  fields: () => ({}),
};

/** The page where an editor connects a workspace to its authoring tool. */
export function authoringToolRouter(web: Web): Router {
  const path = "/writers/:organization_id/:workspace_id";
  const forms = { connect: CONNECT, disconnect: DISCONNECT };
  return pageWithForms(web, path, (visit, notice) => showAuthoringTool(visit, web, notice), forms);
}

async function showAuthoringTool(visit: Visit, web: Web, { status, ...notice }: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const input = { ...request.params };
  const call = { input, response };
  const workspace = (await invokeAs(visitor, { ...call, endpoint: getWorkspace }, web.deps)) as Answer<
    typeof getWorkspace
  >;
  const { data } = (await invokeAs(visitor, { ...call, endpoint: listPlatformIntegrations }, web.deps)) as Answer<
    typeof listPlatformIntegrations
  >;
  const view = {
    address: authoringToolAddress({ organization_id: workspace.organization_id, workspace_id: workspace.id }),
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    connection: data.find(({ platform }) => platform === "partner"),
    ...notice,
  };
  const body = consolePage("settings", visitor, authoringToolPage(view));
  sendPage(response, { title: "Authoring tool", body, ...(status ? { status } : {}) });
}
