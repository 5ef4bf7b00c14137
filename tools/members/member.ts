import { z } from "zod";
import { authorise } from "../../auth/authorise.ts";
import type { MemberRow, WorkspaceRoleRow } from "../../db/identity/members.ts";
import { Id, InstantField, organizationPath } from "../../core/shared/fields.ts";
import { ORGANIZATION_ROLES, WORKSPACE_ROLES } from "../../core/identity/roles.ts";
import type { Context } from "../endpoint.ts";

export const memberPath = {
  ...organizationPath,
  user_id: Id.describe("Member id, from a list of members."),
};

const MEMBER_STATUSES = ["active", "suspended", "disabled"] as const;

export const personFields = {
  id: Id.describe("Person."),
  email: z.string().describe("E-mail address for sign-in."),
  name: z.string(),
  status: z
    .enum(MEMBER_STATUSES)
    .describe("Only active members have access. disabled: the account is disabled in all organizations."),
};

export const Member = z
  .object({
    ...personFields,
    role: z.enum(ORGANIZATION_ROLES),
    workspace_roles: z
      .array(z.object({ workspace_id: Id, role: z.enum(WORKSPACE_ROLES) }))
      .describe("Workspace roles, in addition to the organization role."),
    has_second_factor: z.boolean().describe("true: sign-in with a password requires a second factor."),
    created_at: InstantField.describe("Start of the membership."),
  })
  .meta({ id: "Member" });

export function shapePerson(row: MemberRow) {
  return { id: row.userId, email: row.email, name: row.name, status: getStatus(row) };
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

function getStatus({ disabledAt, suspendedAt }: MemberRow): (typeof MEMBER_STATUSES)[number] {
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
  await authorise({ access: needed, scope: "read", isWrite: true }, target, caller ?? undefined, db);
}
