import { getOrganization } from "../../../tools/organizations/get-organization.ts";
import { createScimToken } from "../../../tools/scim/create-scim-token.ts";
import { deleteScimToken } from "../../../tools/scim/delete-scim-token.ts";
import { listScimGroups } from "../../../tools/scim/list-scim-groups.ts";
import { listScimTokens } from "../../../tools/scim/list-scim-tokens.ts";
import { updateScimGroup } from "../../../tools/scim/update-scim-group.ts";
import { listOrganizationWorkspaces } from "../../../tools/workspaces/list-organization-workspaces.ts";
import { SCIM_PATH } from "../../http/scim/messages.ts";
import { renderProvisioningPage } from "./provisioning-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import type { Answer } from "../../http/pages/call-endpoint.ts";
import { showOrganizationPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";
import { parseExpiry } from "../../http/pages/form.ts";

const MAX_ITEMS = 100;

const REVOKE_TOKEN_ACTION: FormAction = {
  endpoint: deleteScimToken,
  done: "Revoked. Requests with this token are now rejected.",
  fields: (form) => ({ scim_token_id: form.get("scim_token_id") }),
};
const MAP_GROUP_ACTION: FormAction = {
  endpoint: updateScimGroup,
  done: "Saved. It takes effect on each member's next request.",
  fields: (form) => ({ scim_group_id: form.get("scim_group_id"), ...parseMapping(form.get("gives") ?? "") }),
};

const CREATE_TOKEN_ACTION: FormAction = {
  endpoint: createScimToken,
  done: "Created. The token was already shown once.",
  showsAnswer: true,
  fields: (form, { deps }) => ({ name: form.get("name"), ...parseExpiry(form, deps.now()) }),
};

export const provisioningRoutes: readonly Route[] = pageWithForms(
  "/organizations/:organization_id/scim",
  showProvisioning,
  { create: CREATE_TOKEN_ACTION, revoke: REVOKE_TOKEN_ACTION, group: MAP_GROUP_ACTION },
);

/** Parses an organization role, or a workspace role followed by the workspace's id. */
function parseMapping(gives: string) {
  const [role = "", workspace_id] = gives.split(" ");
  if (workspace_id !== undefined) return { workspace_role: role, workspace_id };
  return role === "" ? {} : { organization_role: role };
}

async function showProvisioning(visit: Visit, { answer, ...notice }: Notice): Promise<void> {
  const { call } = visit;
  const { deps, config } = visit.web;
  const path = { ...visit.request.params };
  const list = { ...path, limit: MAX_ITEMS };
  const organization = await call(getOrganization, path);
  const tokens = await call(listScimTokens, list);
  const groups = await call(listScimGroups, list);
  const workspaces = await call(listOrganizationWorkspaces, list);
  const now = deps.now();
  const view = {
    ...notice,
    ...(answer === undefined ? {} : { created: answer as Answer<typeof createScimToken> }),
    organizationId: organization.id,
    baseUrl: config.baseUrl + SCIM_PATH,
    tokens: tokens.data.filter((one) => one.revoked_at === null && (one.expires_at === null || one.expires_at > now)),
    groups: groups.data,
    hasMoreGroups: groups.next_cursor !== null,
    workspaces: workspaces.data,
  };
  const shown = { organization, status: notice.status, content: renderProvisioningPage(view) };
  showOrganizationPage(visit, { title: "Provisioning", part: "/scim", ...shown });
}
