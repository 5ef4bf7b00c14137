import { expect, test } from "vitest";
import { findStanding, NOWHERE, type Place } from "../db/identity/access.ts";
import { mintToolToken } from "./tool-token.ts";
import { world } from "./world.ts";

test("who calls is found with what they are in the place that they call, by either kind of token", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const other = await w.insertTenant("Other");
  const { token } = await mintToolToken(w, owner);
  const places: Place[] = [
    NOWHERE,
    { ...NOWHERE, organizationId: organization.id },
    { ...NOWHERE, organizationId: organization.id, workspaceId: workspace.id },
    // Of another organization: nothing is said of it.
    { ...NOWHERE, organizationId: other.organization.id, workspaceId: other.workspace.id },
    { ...NOWHERE, organizationId: organization.id, workspaceId: other.workspace.id },
  ];
  for (const proven of [
    await w.deps.restTokens.prove(owner.accessToken, w.deps.now()),
    await w.deps.toolTokens.prove(token, w.deps.now()),
  ]) {
    for (const place of places) {
      const { caller, standing } = await w.store.read((db) => proven.arrive(db, place));
      expect(caller.userId).toBe(owner.id);
      expect(standing).toEqual(await w.store.read((db) => findStanding(db, owner.id, place)));
    }
  }
  const roles = await Promise.all(
    places.map(async (place) => {
      const standing = await w.store.read((db) => findStanding(db, owner.id, place));
      return [standing?.organizationRole, standing?.workspaceId];
    }),
  );
  expect(roles).toEqual([
    [null, null],
    ["owner", null],
    ["owner", workspace.id],
    [null, other.workspace.id],
    ["owner", null],
  ]);
});

test("a member who is removed is refused at the next call, with the same token", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const get = () =>
    fetch(`${w.config.baseUrl}/v1/organizations/${organization.id}/workspaces/${workspace.id}/brands`, {
      headers: { authorization: `Bearer ${owner.accessToken}` },
    });
  expect((await get()).status).toBe(200);
  await w.store.write((db) => db.q.delete(db.t.organizationMembers));
  expect((await get()).status).toBe(404);
});
