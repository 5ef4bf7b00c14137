import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "../../db/engine/store.ts";
import type { Person } from "../support/world.ts";
import { exportScene, statusOf } from "./export-right-cases.ts";

let s: Awaited<ReturnType<typeof exportScene>>;

beforeAll(async () => {
  s = await exportScene();
}, 60_000);

afterAll(() => s[Symbol.asyncDispose]());

test("a link ends with the right of its maker, however that ends", async () => {
  // Attack: keeping a link, and with it the rows, after being removed.
  const now = s.deps.now();
  const { organization: rival } = await s.insertTenant("Rival");
  const ends: Record<string, (db: Db, of: Person) => Promise<unknown>> = {
    "removed from the organization": ({ q, t }, { id }) =>
      q.delete(t.organizationMembers).where(eq(t.organizationMembers.userId, id)),
    "suspended by the directory": ({ q, t }, { id }) =>
      q.update(t.organizationMembers).set({ suspendedAt: now }).where(eq(t.organizationMembers.userId, id)),
    "removed from the workspace": ({ q, t }, { id }) =>
      q.delete(t.workspaceMembers).where(eq(t.workspaceMembers.userId, id)),
    "account disabled": ({ q, t }, { id }) => q.update(t.users).set({ disabledAt: now }).where(eq(t.users.id, id)),
    "key revoked": ({ q, t }, { id }) => q.update(t.apiKeys).set({ revokedAt: now }).where(eq(t.apiKeys.userId, id)),
    "key expired": ({ q, t }, { id }) => q.update(t.apiKeys).set({ expiresAt: now }).where(eq(t.apiKeys.userId, id)),
    "key limited to another organization": ({ q, t }, { id }) =>
      q
        .update(t.apiKeys)
        .set({ kind: "organization", organizationId: rival.id, role: "viewer" })
        .where(eq(t.apiKeys.userId, id)),
  };
  const statuses: Record<string, number[]> = {};
  for (const [why, end] of Object.entries(ends)) {
    const person = await s.member();
    const { url } = await s.exportedBy(person);
    const before = await statusOf(url);
    await s.store.write((db) => end(db, person));
    statuses[why] = [before, await statusOf(url)];
  }
  expect(statuses).toEqual(Object.fromEntries(Object.keys(ends).map((why) => [why, [200, 404]])));
});
