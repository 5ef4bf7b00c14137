import { z } from "zod";
import { listInvitations as listInvitationRows } from "../../db/identity/invitations.ts";
import { listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { Invitation, shapeInvitation } from "./invitation.ts";

export const listInvitations = endpoint({
  name: "listInvitations",
  method: "GET",
  path: "/v1/organizations/:organization_id/invitations",
  group: "Members",
  summary: "List invitations",
  description: "Lists open invitations, without their links.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({
    ...organizationPath,
    include_ended: z.boolean().default(false).describe("true: include accepted, revoked and expired invitations."),
    ...listQuery,
  }),
  output: listSchema(Invitation),
  async handle(input, { tenant, now }) {
    const waitingAt = input.include_ended ? null : now;
    const rows = await listInvitationRows(tenant, waitingAt, parsePagination("invitations", input));
    return toPage("invitations", input, rows, { key: (row) => [row.id], row: (row) => shapeInvitation(row, now) });
  },
});
