import { z } from "zod";
import { authorise } from "../../auth/authorise.ts";
import type { MemberRow, WorkspaceRoleRow } from "../../db/identity/members.ts";
import { Id, InstantField, organizationPath } from "../../core/shared/fields.ts";
import { ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../core/identity/roles.ts";
import type { Context } from "../endpoint.ts";

export const memberPath = {
  ...organizationPath,
  user_id: Id.describe("Member of the organization; lists of members give it as id."),
};

const MEMBER_STATUSES = ["active", "suspended", "disabled"] as const;

export const person = {
  id: Id.describe("The person."),
  email: z.string().describe("What the person signs in with."),
  name: z.string(),
  status: z.enum(MEMBER_STATUSES).describe("Only active ones can do anything; disabled accounts are so everywhere."),
};

export const Member = z
  .object({
    ...person,
    role: z.enum(ORGANIZATION_ROLES),
    workspace_roles: z
      .array(z.object({ workspace_id: Id, role: z.enum(WORKSPACE_ROLES) }))
      .describe("Roles of their own in workspaces, beside what the role in the organization gives."),
    has_second_factor: z.boolean().describe("True if their sign-in by password asks for a second factor."),
    created_at: InstantField.describe("Member since."),
  })
  .meta({ id: "Member" });

export function shapePerson(row: MemberRow) {
  return { id: row.userId, email: row.email, name: row.name, status: statusOf(row) };
}

export function shapeMember(row: MemberRow, roles: readonly WorkspaceRoleRow[]): z.input<typeof Member> {
  return {
    ...shapePerson(row),
    role: row.role,
    workspace_roles: roles
      .filter(({ userId }) => userId === row.userId)
      .map(({ workspaceId, role }) => ({ workspace_id: workspaceId, role })),
    has_second_factor: row.secondFactorAt !== null,
    created_at: row.createdAt,
  };
}

function statusOf({ disabledAt, suspendedAt }: MemberRow): (typeof MEMBER_STATUSES)[number] {
  if (disabledAt !== null) return "disabled";
  return suspendedAt === null ? "active" : "suspended";
}

/** A restricted key cannot end its creator's membership. */
export async function requireSelfOrAdministrator(
  userId: string,
  needed: { organization: "owner" } | { workspace: "editor" },
  { db, caller, tenant }: Context,
): Promise<void> {
  const isPerson = !caller?.reach || caller.reach.kind === "user";
  if (isPerson && caller?.userId === userId) return;
  const { organizationId, workspaceId } = tenant;
  const target = { organizationId, workspaceId: "workspace" in needed ? workspaceId : null, projectId: null };
  await authorise({ access: needed, scope: "read", changes: true }, target, caller ?? undefined, db);
}
