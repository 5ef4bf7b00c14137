import type { z } from "zod";
import { Router } from "express";
import { getMe } from "../../../../tools/auth/get-me.ts";
import { createInvitation } from "../../../../tools/members/create-invitation.ts";
import { listInvitations } from "../../../../tools/members/list-invitations.ts";
import { listMembers } from "../../../../tools/members/list-members.ts";
import { listWorkspaceMembers } from "../../../../tools/members/list-workspace-members.ts";
import { removeMember } from "../../../../tools/members/remove-member.ts";
import { removeWorkspaceMember } from "../../../../tools/members/remove-workspace-member.ts";
import { resetSecondFactor } from "../../../../tools/members/reset-second-factor.ts";
import { revokeInvitation } from "../../../../tools/members/revoke-invitation.ts";
import { setMember } from "../../../../tools/members/set-member.ts";
import { setWorkspaceMember } from "../../../../tools/members/set-workspace-member.ts";
import { getOrganization } from "../../../../tools/organizations/get-organization.ts";
import { getWorkspace } from "../../../../tools/workspaces/get-workspace.ts";
import { listOrganizationWorkspaces } from "../../../../tools/workspaces/list-organization-workspaces.ts";
import { membersPage } from "../pages/members.ts";
import { consolePage } from "../pages/console.ts";
import { organizationPage } from "../pages/organization.ts";
import { workspaceMembersPage } from "../pages/workspace-members.ts";
import { pageWithForms, type Answer, type FormAction, type Notice, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { invokeAs, queryOf, type Web } from "../visit.ts";

const who = (form: URLSearchParams) => ({ user_id: form.get("user_id") });
const whoAndRole = (form: URLSearchParams) => ({ ...who(form), role: form.get("role") });

const INVITE: FormAction = {
  endpoint: createInvitation,
  done: "Invited. Send the link now.",
  showsAnswer: true,
  fields: (form) => ({
    email: form.get("email")?.trim(),
    role: form.get("role"),
    ...(form.get("workspace_id")
      ? { workspace_roles: [{ workspace_id: form.get("workspace_id"), role: form.get("workspace_role") }] }
      : {}),
  }),
};
const FORMS: Record<string, FormAction> = {
  invite: INVITE,
  revoke: {
    endpoint: revokeInvitation,
    done: "Revoked. The link no longer works.",
    fields: (form) => ({ invitation_id: form.get("invitation_id") }),
  },
  role: { endpoint: setMember, done: "Saved. It takes effect on their next request.", fields: whoAndRole },
  suspend: {
    endpoint: setMember,
    done: "Suspended. They have no access until you resume them.",
    fields: (form) => ({ ...whoAndRole(form), status: "suspended" }),
  },
  resume: {
    endpoint: setMember,
    done: "Resumed.",
    fields: (form) => ({ ...whoAndRole(form), status: "active" }),
  },
  "reset-factor": {
    endpoint: resetSecondFactor,
    done: "Removed. Their password signs in alone until they set up a second factor again.",
    fields: who,
  },
  remove: { endpoint: removeMember, done: "Removed. Their API keys for this organization are revoked.", fields: who },
};
const WORKSPACE_FORMS: Record<string, FormAction> = {
  give: { endpoint: setWorkspaceMember, done: "Saved. It takes effect on their next request.", fields: whoAndRole },
  take: {
    endpoint: removeWorkspaceMember,
    done: "Removed. Access through their organization role stays.",
    fields: who,
  },
};

/** The pages where owners manage an organization's members, and editors a workspace's. */
export function membersRouter(web: Web): Router {
  const one = "/organizations/:organization_id";
  return Router().use(
    pageWithForms(web, `${one}/members`, (visit, notice) => showMembers(visit, web, notice), FORMS),
    pageWithForms(
      web,
      `${one}/workspaces/:workspace_id/members`,
      (visit, notice) => showWorkspaceMembers(visit, web, notice),
      WORKSPACE_FORMS,
    ),
  );
}

async function showMembers({ visitor, request, response }: Visit, { deps }: Web, notice: Notice): Promise<void> {
  const path = { ...request.params };
  const cursor = queryOf(request.originalUrl).get("cursor");
  const organization = (await invokeAs(visitor, { endpoint: getOrganization, input: path, response }, deps)) as Answer<
    typeof getOrganization
  >;
  const listed = { ...path, limit: 50, ...(cursor === null ? {} : { cursor }) };
  const members = (await invokeAs(visitor, { endpoint: listMembers, input: listed, response }, deps)) as Answer<
    typeof listMembers
  >;
  const first = { input: { ...path, limit: 100 }, response };
  const invitations = (await invokeAs(visitor, { ...first, endpoint: listInvitations }, deps)) as Answer<
    typeof listInvitations
  >;
  const workspaces = (await invokeAs(visitor, { ...first, endpoint: listOrganizationWorkspaces }, deps)) as Answer<
    typeof listOrganizationWorkspaces
  >;
  const content = membersPage({
    ...notice,
    organizationId: organization.id,
    visitorId: visitor.userId,
    members: members.data,
    next: members.next_cursor,
    invitations: invitations.data,
    workspaces: workspaces.data,
    invited: notice.answer as z.output<typeof createInvitation.output> | undefined,
  });
  const body = organizationPage("/members", organization, visitor, content);
  sendPage(response, { title: "Members", body, ...(notice.status ? { status: notice.status } : {}) });
}

async function showWorkspaceMembers(visit: Visit, { deps }: Web, notice: Notice): Promise<void> {
  const { visitor, request, response } = visit;
  const path = { ...request.params };
  const cursor = queryOf(request.originalUrl).get("cursor");
  const workspace = (await invokeAs(visitor, { endpoint: getWorkspace, input: path, response }, deps)) as Answer<
    typeof getWorkspace
  >;
  const listed = { ...path, limit: 50, ...(cursor === null ? {} : { cursor }) };
  const members = (await invokeAs(
    visitor,
    { endpoint: listWorkspaceMembers, input: listed, response },
    deps,
  )) as Answer<typeof listWorkspaceMembers>;
  const guests = await guestsToAdd(visit, deps);
  const content = workspaceMembersPage({
    ...notice,
    workspace,
    members: members.data,
    next: members.next_cursor,
    guests,
  });
  const body = consolePage("settings", visitor, content);
  sendPage(response, {
    title: `Members of ${workspace.name}`,
    body,
    ...(notice.status ? { status: notice.status } : {}),
  });
}

/** Guests without access to the workspace. Only for owners: others may not list all members. */
async function guestsToAdd({ visitor, request, response }: Visit, deps: Web["deps"]) {
  const { organization_id, workspace_id } = request.params;
  const me = (await invokeAs(visitor, { endpoint: getMe, input: {}, response }, deps)) as Answer<typeof getMe>;
  if (!me.organizations.some(({ id, role }) => id === organization_id && role === "owner")) return [];
  const input = { organization_id, limit: 100 };
  const { data } = (await invokeAs(visitor, { endpoint: listMembers, input, response }, deps)) as Answer<
    typeof listMembers
  >;
  return data.filter(
    ({ role, status, workspace_roles }) =>
      role === "guest" && status === "active" && !workspace_roles.some((given) => given.workspace_id === workspace_id),
  );
}
