import { z } from "zod";
import { getCredentialReach, reachedWorkspaceRole } from "../../auth/authorise.ts";
import { findUser } from "../../db/identity/users.ts";
import { listUserOrganizations } from "../../db/identity/organizations.ts";
import { listUserWorkspaces } from "../../db/catalog/workspaces.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import {
  ORGANIZATION_PERMISSIONS,
  ORGANIZATION_ROLES,
  weakerRole,
  WORKSPACE_PERMISSIONS,
  WORKSPACE_ROLES,
} from "../../core/identity/roles.ts";
import { endpoint } from "../endpoint.ts";

const FIRST_PAGE = { limit: 100, after: null };

export const getMe = endpoint({
  name: "getMe",
  method: "GET",
  path: "/v1/auth/me",
  group: "Auth",
  summary: "Read the signed-in person and their roles",
  description:
    "Read who is signed in and their role in each organization and workspace. Use it when a call was denied.",
  access: "signed-in",
  input: z.strictObject({}),
  output: z.object({
    id: Id,
    email: z.string().describe("E-mail address for sign-in."),
    name: z.string(),
    organizations: z.array(z.object({ id: Id, name: z.string(), role: z.enum(ORGANIZATION_ROLES), may: z.string() })),
    workspaces: z.array(
      z.object({
        id: Id,
        organization_id: Id,
        name: z.string(),
        role: z.enum(WORKSPACE_ROLES).describe("Effective role."),
        may: z.string().describe("What the role permits."),
      }),
    ),
  }),
  async handle(_input, { db, caller, userId }) {
    const user = requireFound(await findUser(db, userId), "account");
    const reach = caller?.reach ?? null;
    const bounds = {
      organizationId: reach?.organizationId ?? null,
      workspaceId: reach?.workspaceId ?? null,
      includesArchived: false,
      credentialReach: getCredentialReach(caller),
    };
    const memberships = await listUserOrganizations(
      db,
      { userId, ...bounds.credentialReach },
      bounds.organizationId,
      FIRST_PAGE,
    );
    const workspaces = await listUserWorkspaces(db, userId, bounds, FIRST_PAGE);
    const cut = (role: (typeof ORGANIZATION_ROLES)[number]) => weakerRole(role, reach?.role ?? "owner");
    return {
      id: user.id,
      email: user.email,
      name: user.name,
      organizations: memberships.map(({ organization, role }) => ({
        id: organization.id,
        name: organization.name,
        role: cut(role),
        may: ORGANIZATION_PERMISSIONS[cut(role)],
      })),
      workspaces: workspaces.map(({ workspace, ...roles }) => {
        const role = reachedWorkspaceRole(roles, reach) ?? "viewer";
        const { id, organizationId: organization_id, name } = workspace;
        return { id, organization_id, name, role, may: WORKSPACE_PERMISSIONS[role] };
      }),
    };
  },
});
