import type { z } from "zod";
import { getMe } from "../../../tools/auth/get-me.ts";
import { createInvitation } from "../../../tools/members/create-invitation.ts";
import { listInvitations } from "../../../tools/members/list-invitations.ts";
import { listMembers } from "../../../tools/members/list-members.ts";
import { listWorkspaceMembers } from "../../../tools/members/list-workspace-members.ts";
import { removeMember } from "../../../tools/members/remove-member.ts";
import { removeWorkspaceMember } from "../../../tools/members/remove-workspace-member.ts";
import { resetSecondFactor } from "../../../tools/members/reset-second-factor.ts";
import { revokeInvitation } from "../../../tools/members/revoke-invitation.ts";
import { setMember } from "../../../tools/members/set-member.ts";
import { setWorkspaceMember } from "../../../tools/members/set-workspace-member.ts";
import { getOrganization } from "../../../tools/organizations/get-organization.ts";
import { getWorkspace } from "../../../tools/workspaces/get-workspace.ts";
import { listOrganizationWorkspaces } from "../../../tools/workspaces/list-organization-workspaces.ts";
import { renderMembersPage } from "./members-page.ts";
import { renderWorkspaceMembersPage } from "./workspace-members-page.ts";
import { pageWithForms, type FormAction, type Notice } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showOrganizationPage, showPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";

const parseUserId = (form: URLSearchParams) => ({ user_id: form.get("user_id") });
const parseUserIdAndRole = (form: URLSearchParams) => ({ ...parseUserId(form), role: form.get("role") });

const INVITE_MEMBER_ACTION: FormAction = {
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
const MEMBER_FORMS: Record<string, FormAction> = {
  invite: INVITE_MEMBER_ACTION,
  revoke: {
    endpoint: revokeInvitation,
    done: "Revoked. The link no longer works.",
    fields: (form) => ({ invitation_id: form.get("invitation_id") }),
  },
  role: { endpoint: setMember, done: "Saved. It takes effect on their next request.", fields: parseUserIdAndRole },
  suspend: {
    endpoint: setMember,
    done: "Suspended. They have no access until you resume them.",
    fields: (form) => ({ ...parseUserIdAndRole(form), status: "suspended" }),
  },
  resume: {
    endpoint: setMember,
    done: "Resumed.",
    fields: (form) => ({ ...parseUserIdAndRole(form), status: "active" }),
  },
  "reset-factor": {
    endpoint: resetSecondFactor,
    done: "Removed. Their password signs in alone until they set up a second factor again.",
    fields: parseUserId,
  },
  remove: {
    endpoint: removeMember,
    done: "Removed. Their API keys for this organization are revoked.",
    fields: parseUserId,
  },
};
const WORKSPACE_FORMS: Record<string, FormAction> = {
  give: {
    endpoint: setWorkspaceMember,
    done: "Saved. It takes effect on their next request.",
    fields: parseUserIdAndRole,
  },
  take: {
    endpoint: removeWorkspaceMember,
    done: "Removed. Access through their organization role stays.",
    fields: parseUserId,
  },
};

const PATH = "/organizations/:organization_id";

export const memberRoutes: readonly Route[] = [
  ...pageWithForms(`${PATH}/members`, showMembers, MEMBER_FORMS),
  ...pageWithForms(`${PATH}/workspaces/:workspace_id/members`, showWorkspaceMembers, WORKSPACE_FORMS),
];

async function showMembers(visit: Visit, notice: Notice): Promise<void> {
  const { call } = visit;
  const path = { ...visit.request.params };
  const cursor = visit.query.get("cursor");
  const organization = await call(getOrganization, path);
  const members = await call(listMembers, { ...path, limit: 50, ...(cursor === null ? {} : { cursor }) });
  const invitations = await call(listInvitations, { ...path, limit: 100 });
  const workspaces = await call(listOrganizationWorkspaces, { ...path, limit: 100 });
  const content = renderMembersPage({
    ...notice,
    organizationId: organization.id,
    visitorId: visit.visitor.userId,
    members: members.data,
    nextCursor: members.next_cursor,
    invitations: invitations.data,
    workspaces: workspaces.data,
    invited: notice.answer as z.output<typeof createInvitation.output> | undefined,
  });
  showOrganizationPage(visit, { title: "Members", part: "/members", organization, status: notice.status, content });
}

async function showWorkspaceMembers(visit: Visit, notice: Notice): Promise<void> {
  const { call } = visit;
  const path = { ...visit.request.params };
  const cursor = visit.query.get("cursor");
  const workspace = await call(getWorkspace, path);
  const members = await call(listWorkspaceMembers, { ...path, limit: 50, ...(cursor === null ? {} : { cursor }) });
  const guests = await listGuestsToAdd(visit);
  const content = renderWorkspaceMembersPage({
    ...notice,
    workspace,
    members: members.data,
    nextCursor: members.next_cursor,
    guests,
  });
  showPage(visit, { title: `Members of ${workspace.name}`, section: "settings", status: notice.status, content });
}

/** Guests without access to the workspace. Only owners may list all members. */
async function listGuestsToAdd({ request, call }: Visit) {
  const { organization_id, workspace_id } = request.params;
  const me = await call(getMe, {});
  if (!me.organizations.some(({ id, role }) => id === organization_id && role === "owner")) return [];
  const { data } = await call(listMembers, { organization_id, limit: 100 });
  return data.filter(
    ({ role, status, workspace_roles }) =>
      role === "guest" && status === "active" && !workspace_roles.some((given) => given.workspace_id === workspace_id),
  );
}
