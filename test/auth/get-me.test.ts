import { expect, test } from "vitest";
import {
  ORGANIZATION_PERMISSIONS,
  ORGANIZATION_ROLES,
  WORKSPACE_PERMISSIONS,
  type WorkspaceRole,
} from "../../core/identity/roles.ts";
import { world } from "../support/world.ts";

test("says in words what each role permits, in the organization and in each workspace", async () => {
  await using w = await world();
  const { organization, owner } = await w.acme();
  const { body: workspace } = await owner.post(`${organization.path}/workspaces`, { name: "Coffee" });
  const workspaceRoles: Record<string, WorkspaceRole | undefined> = {
    owner: "editor",
    editor: "editor",
    viewer: "viewer",
  };
  for (const role of ORGANIZATION_ROLES) {
    const person = await w.signIn(`${role}@roles.test`, { organizationId: organization.id, role });
    const { body } = await person.get("/v1/auth/me");
    const reached = workspaceRoles[role];
    const { id, name } = workspace;
    const own = { id, name, organization_id: organization.id };
    expect([body.organizations, body.workspaces.filter((one: { id: string }) => one.id === id)]).toEqual([
      [{ id: organization.id, name: expect.any(String), role, may: ORGANIZATION_PERMISSIONS[role] }],
      reached ? [{ ...own, role: reached, may: WORKSPACE_PERMISSIONS[reached] }] : [],
    ]);
  }
});
