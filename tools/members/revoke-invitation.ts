import { z } from "zod";
import { revokeInvitation as revokeWaiting } from "../../db/identity/invitations.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { Invitation, invitationPathFields, shapeInvitation } from "./invitation.ts";

export const revokeInvitation = endpoint({
  name: "revokeInvitation",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/invitations/:invitation_id",
  group: "Members",
  summary: "Revoke an invitation",
  logged: "Revoked the invitation of {invitation_id}",
  description: "Revokes an open invitation. Its link stops working at once.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject(invitationPathFields),
  output: Invitation,
  errors: ["NOT_FOUND"],
  async handle({ invitation_id }, { tenant, now }) {
    const row = requireFound(await revokeWaiting(tenant, invitation_id, now), "pending invitation");
    return shapeInvitation(row, now);
  },
});
