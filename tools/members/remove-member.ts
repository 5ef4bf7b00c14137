import { z } from "zod";
import { removeMember as endMembership } from "../../db/identity/members.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { memberPath, requireSelfOrAdministrator } from "./member.ts";

export const removeMember = endpoint({
  name: "removeMember",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/members/:user_id",
  group: "Members",
  summary: "Remove a member, or leave an organization",
  logged: "Removed member {user_id}",
  description:
    "Ends a membership with its workspace roles and keys. Owners can remove any member; every member can leave.",
  access: { organization: "guest" },
  notATool: "account administration",
  input: z.strictObject(memberPath),
  output: z.object({ id: Id, removed: z.literal(true) }),
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ user_id }, context) {
    await requireSelfOrAdministrator(user_id, { organization: "owner" }, context);
    if (!(await endMembership(context.tenant, user_id, context.now))) throw notFound("member");
    return { id: user_id, removed: true as const };
  },
});
