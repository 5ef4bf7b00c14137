import type { Router } from "express";
import { connectPartner } from "../../../../tools/platform-integrations/connect-partner.ts";
import { disconnectPartner } from "../../../../tools/platform-integrations/disconnect-partner.ts";
import { listPlatformIntegrations } from "../../../../tools/platform-integrations/list-platform-integrations.ts";
import { getWorkspace } from "../../../../tools/workspaces/get-workspace.ts";
import { consolePage } from "../pages/console.ts";
import { writersAddress, writersPage } from "../pages/authoring-tool.ts";
import { pageWithForms, type Answer, type Deed, type Said, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { invokeAs, type Web } from "../visit.ts";

const CONNECT: Deed = {
  endpoint: connectPartner,
  done: "Saved. Briefs of this workspace can be sent.",
  fields: (form) => ({
    ...(form.get("api_token") ? { api_token: form.get("api_token") } : {}),
    partner_workspace_id: form.get("partner_workspace_id"),
    recipients: (form.get("recipients") ?? "").split(/[\s,;]+/).filter(Boolean),
    max_brief_length: Number(form.get("max_brief_length")),
  }),
};
const DISCONNECT: Deed = {
  endpoint: disconnectPartner,
  done: "Disconnected. Briefs that were sent stay with the writers.",
  fields: () => ({}),
};

/** The page on which an editor connects a workspace to the partner that its briefs are sent to. */
export function writersRouter(web: Web): Router {
  const path = "/writers/:organization_id/:workspace_id";
  const deeds = { connect: CONNECT, disconnect: DISCONNECT };
  return pageWithForms(web, path, (visit, said) => showWriters(visit, web, said), deeds);
}

async function showWriters(visit: Visit, web: Web, { status, ...said }: Said): Promise<void> {
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
    address: writersAddress({ organization_id: workspace.organization_id, workspace_id: workspace.id }),
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    connection: data.find(({ platform }) => platform === "partner"),
    ...said,
  };
  const body = consolePage("/actions", visitor, writersPage(view));
  sendPage(response, { title: "Writers", body, ...(status ? { status } : {}) });
}
