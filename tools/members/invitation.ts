import { z } from "zod";
import type { InvitationRow } from "../../db/identity/invitations.ts";
import { Id, InstantField, organizationPath } from "../../core/shared/fields.ts";
import { ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../core/identity/roles.ts";
import type { Instant } from "../../core/shared/time.ts";

export const invitationPathFields = {
  ...organizationPath,
  invitation_id: Id.describe("Invitation id, from the list of invitations."),
};

export const InvitedWorkspaceRoleSchema = z.strictObject({ workspace_id: Id, role: z.enum(WORKSPACE_ROLES) });

export const Invitation = z
  .object({
    id: Id,
    email: z.string().describe("E-mail address of the account that can accept."),
    role: z.enum(ORGANIZATION_ROLES),
    workspace_roles: z.array(InvitedWorkspaceRoleSchema),
    status: z.enum(["waiting", "accepted", "revoked", "expired"]),
    invited_by: Id.describe("Creator, who must still be an owner when the invitation is accepted."),
    created_at: InstantField,
    expires_at: InstantField,
  })
  .meta({ id: "Invitation" });

export function shapeInvitation(row: InvitationRow, now: Instant): z.input<typeof Invitation> {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    workspace_roles: row.workspaceRoles.map(({ workspaceId, role }) => ({ workspace_id: workspaceId, role })),
    status: getStatus(row, now),
    invited_by: row.invitedBy,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  };
}

function getStatus({ acceptedAt, revokedAt, expiresAt }: InvitationRow, now: Instant) {
  if (acceptedAt !== null) return "accepted";
  if (revokedAt !== null) return "revoked";
  return expiresAt > now ? "waiting" : "expired";
}
