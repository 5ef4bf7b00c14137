import type { Router } from "express";
import { getOrganization } from "../../../../tools/organizations/get-organization.ts";
import { createScimToken } from "../../../../tools/scim/create-scim-token.ts";
import { deleteScimToken } from "../../../../tools/scim/delete-scim-token.ts";
import { listScimGroups } from "../../../../tools/scim/list-scim-groups.ts";
import { listScimTokens } from "../../../../tools/scim/list-scim-tokens.ts";
import { updateScimGroup } from "../../../../tools/scim/update-scim-group.ts";
import { listOrganizationWorkspaces } from "../../../../tools/workspaces/list-organization-workspaces.ts";
import { PATH } from "../../scim/messages.ts";
import { organizationPage } from "../pages/organization.ts";
import { provisioningPage } from "../pages/provisioning.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { expiryIn } from "../form.ts";
import { sendPage } from "../page.ts";
import { invokeAs, type Web } from "../visit.ts";

const SHOWN = 100;

const REVOKE: FormAction = {
  endpoint: deleteScimToken,
  done: "Revoked. Requests with this token are now rejected.",
  fields: (form) => ({ scim_token_id: form.get("scim_token_id") }),
};
const MAP: FormAction = {
  endpoint: updateScimGroup,
  done: "Saved. It takes effect on each member's next request.",
  fields: (form) => ({ scim_group_id: form.get("scim_group_id"), ...mappingOf(form.get("gives") ?? "") }),
};

/** The page where owners set up provisioning by their identity provider. */
export function provisioningRouter(web: Web): Router {
  const create: FormAction = {
    endpoint: createScimToken,
    done: "Created. The token was already shown once.",
    showsAnswer: true,
    fields: (form) => ({ name: form.get("name"), ...expiryIn(form, web.deps.now()) }),
  };
  const path = "/organizations/:organization_id/scim";
  const forms = { create, revoke: REVOKE, group: MAP };
  return pageWithForms(web, path, (visit, notice) => showProvisioning(visit, web, notice), forms);
}

/** An organization role, or a workspace role followed by the workspace's id. */
function mappingOf(gives: string) {
  const [role = "", workspace_id] = gives.split(" ");
  if (workspace_id !== undefined) return { workspace_role: role, workspace_id };
  return role === "" ? {} : { organization_role: role };
}

async function showProvisioning(
  { visitor, request, response }: Visit,
  { deps, config }: Web,
  { answer, ...notice }: Notice,
): Promise<void> {
  const path = { ...request.params };
  const list = { input: { ...path, limit: SHOWN }, response };
  const organization = (await invokeAs(visitor, { endpoint: getOrganization, input: path, response }, deps)) as Answer<
    typeof getOrganization
  >;
  const tokens = (await invokeAs(visitor, { ...list, endpoint: listScimTokens }, deps)) as Answer<
    typeof listScimTokens
  >;
  const groups = (await invokeAs(visitor, { ...list, endpoint: listScimGroups }, deps)) as Answer<
    typeof listScimGroups
  >;
  const workspaces = (await invokeAs(visitor, { ...list, endpoint: listOrganizationWorkspaces }, deps)) as Answer<
    typeof listOrganizationWorkspaces
  >;
  const now = deps.now();
  const view = {
    ...notice,
    ...(answer === undefined ? {} : { made: answer as Answer<typeof createScimToken> }),
    organizationId: organization.id,
    base: config.baseUrl + PATH,
    tokens: tokens.data.filter((one) => one.revoked_at === null && (one.expires_at === null || one.expires_at > now)),
    groups: groups.data,
    more: groups.next_cursor !== null,
    workspaces: workspaces.data,
  };
  const body = organizationPage("/scim", organization, visitor, provisioningPage(view));
  sendPage(response, { title: "Provisioning", body, ...(notice.status ? { status: notice.status } : {}) });
}
