import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("denies a removed member's next call with the same token", async () => {
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
