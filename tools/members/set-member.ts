import { z } from "zod";
import {
  findMember,
  listWorkspaceRoles,
  resumeMember,
  setOrganizationRole,
  suspendMember,
} from "../../db/identity/members.ts";
import { requireFound, notFound } from "../../core/shared/errors.ts";
import { ORGANIZATION_ROLES } from "../../core/identity/roles.ts";
import { endpoint } from "../endpoint.ts";
import { Member, memberPath, shapeMember } from "./member.ts";

export const setMember = endpoint({
  name: "setMember",
  method: "PUT",
  path: "/v1/organizations/:organization_id/members/:user_id",
  group: "Members",
  summary: "Set the role of a member, or suspend one",
  logged: "Set member {user_id} to {role} {status}",
  description:
    "Changes the role of a member, or suspends one, from the next call on. To add members, use invitations. At least one owner always remains.",
  access: { organization: "owner" },
  recentSignIn: ({ role }) => role === "owner",
  notATool: "account administration",
  input: z.strictObject({
    ...memberPath,
    role: z.enum(ORGANIZATION_ROLES).describe("guest: access only through workspace roles."),
    status: z.enum(["active", "suspended"]).optional().describe("Omit to leave it as it is."),
  }),
  output: Member,
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ user_id, role, status }, { tenant, now }) {
    if (!(await setOrganizationRole(tenant, user_id, role))) throw notFound("member");
    if (status === "suspended") await suspendMember(tenant, user_id, now);
    if (status === "active") await resumeMember(tenant, user_id);
    const member = requireFound(await findMember(tenant, user_id), "member");
    return shapeMember(member, await listWorkspaceRoles(tenant, [user_id]));
  },
});
