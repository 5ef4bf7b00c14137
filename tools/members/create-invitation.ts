import { z } from "zod";
import { newInvitationSecret } from "../../auth/people/invitations.ts";
import { insertInvitation, revokeInvitationsTo } from "../../db/identity/invitations.ts";
import { findMemberByEmail } from "../../db/identity/members.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import { countWorkspaces } from "../../db/catalog/workspaces.ts";
import { AppError, notFound } from "../../core/shared/errors.ts";
import { organizationPath } from "../../core/shared/fields.ts";
import { ORGANIZATION_ROLES } from "../../core/identity/roles.ts";
import { endpoint } from "../endpoint.ts";
import { Invitation, InvitedWorkspaceRoleSchema, shapeInvitation } from "./invitation.ts";

export const createInvitation = endpoint({
  name: "createInvitation",
  method: "POST",
  path: "/v1/organizations/:organization_id/invitations",
  status: 201,
  group: "Members",
  summary: "Invite a person",
  logged: "Invited {email}",
  description:
    "Invites a member. The response contains a link, once, for you to pass on: no e-mail is sent. An earlier link for the same address expires.",
  access: { organization: "owner" },
  recentSignIn: ({ role }) => role === "owner",
  notATool: "account administration",
  input: z.strictObject({
    ...organizationPath,
    email: z.email().max(254).toLowerCase().describe("E-mail address of the account that can accept."),
    role: z.enum(ORGANIZATION_ROLES).default("guest").describe("guest: access only through workspace roles."),
    workspace_roles: z
      .array(InvitedWorkspaceRoleSchema)
      .max(100)
      .refine(
        (list) => new Set(list.map((one) => one.workspace_id)).size === list.length,
        "must not repeat a workspace",
      )
      .default([])
      .describe("Roles in workspaces, in addition to the organization role."),
  }),
  output: Invitation.extend({
    link: z
      .string()
      .nullable()
      .describe("Invitation link, returned once; null if an Idempotency-Key repeats the request."),
  }),
  errors: ["NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED"],
  withoutSecrets: (answer) => ({ ...answer, link: null }),
  async handle({ email, role, workspace_roles }, { tenant, userId, now, newId, baseUrl }) {
    if (await findMemberByEmail(tenant, email)) {
      throw new AppError("CONFLICT", "This person is already a member. Change their role instead.");
    }
    await requireQuota(tenant, "members");
    const workspaceIds = workspace_roles.map((one) => one.workspace_id);
    if ((await countWorkspaces(tenant, workspaceIds)) < workspaceIds.length) throw notFound("workspace");
    await revokeInvitationsTo(tenant, email, now);
    const { secret, ...kept } = newInvitationSecret(now);
    const row = await insertInvitation(tenant, {
      id: newId(),
      email,
      role,
      workspaceRoles: workspace_roles.map((one) => ({ workspaceId: one.workspace_id, role: one.role })),
      ...kept,
      invitedBy: userId,
      createdAt: now,
      acceptedAt: null,
      acceptedBy: null,
      revokedAt: null,
    });
    return { ...shapeInvitation(row, now), link: `${baseUrl}/invitations/accept?link=${secret}` };
  },
});
