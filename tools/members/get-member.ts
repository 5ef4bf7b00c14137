import { z } from "zod";
import { findMember, listWorkspaceRoles } from "../../db/identity/members.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { Member, memberPath, shapeMember } from "./member.ts";

export const getMember = endpoint({
  name: "getMember",
  method: "GET",
  path: "/v1/organizations/:organization_id/members/:user_id",
  group: "Members",
  summary: "Read one member of an organization",
  description: "Returns the roles of one member in the organization and its workspaces.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject(memberPath),
  output: Member,
  async handle({ user_id }, { tenant }) {
    const member = requireFound(await findMember(tenant, user_id), "member");
    return shapeMember(member, await listWorkspaceRoles(tenant, [user_id]));
  },
});
