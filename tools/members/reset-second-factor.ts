import { z } from "zod";
import { resetSecondFactor as reset } from "../../auth/people/second-factors.ts";
import { findMember, listMemberships } from "../../db/identity/members.ts";
import { AppError, notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { memberPath } from "./member.ts";

export const resetSecondFactor = endpoint({
  name: "resetSecondFactor",
  method: "POST",
  path: "/v1/organizations/:organization_id/members/:user_id/reset-second-factor",
  group: "Members",
  summary: "Reset the second factor of a member",
  logged: "Reset the second factor of {user_id}",
  description:
    "Removes the authenticator app, passkeys and recovery codes of a member who lost them. The member is notified and signs in with the password alone. Not for members of several organizations.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: z.strictObject(memberPath),
  output: z.object({ id: Id, had_second_factor: z.boolean() }),
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ user_id }, { db, tenant, now, newId }) {
    if (!(await findMember(tenant, user_id))) throw notFound("member");
    const { organizationId } = tenant;
    // The factor also protects other organizations, so an owner of one of them cannot remove it.
    const memberships = await listMemberships(db, { userId: user_id });
    if (memberships.some((membership) => membership.organizationId !== organizationId)) {
      throw new AppError(
        "CONFLICT",
        "This member belongs to another organization too. Ask the operator of the service to reset the second factor.",
      );
    }
    const had = await reset(db, { userId: user_id, organizationId }, { now, newId });
    return { id: user_id, had_second_factor: had };
  },
});
