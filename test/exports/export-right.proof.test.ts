import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "../../db/engine/store.ts";
import { collecting } from "../collecting/scene.ts";
import { WITHOUT_LIMITS, type Person } from "../world.ts";

// Tests auth/keys/export-right.ts, src/http/exported-files.ts and tools/exports.

let s: Awaited<ReturnType<typeof collecting>>;

let exportsPath: string;

beforeAll(async () => {
  s = await collecting({ env: { ...WITHOUT_LIMITS } });
  exportsPath = `${s.workspace.path}/exports`;
}, 60_000);

afterAll(async () => s[Symbol.asyncDispose]());

let people = 0;

function member(workspaceRole: "viewer" | "editor" = "viewer"): Promise<Person> {
  const of = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  return s.signIn(`person-${people++}@acme.test`, { ...of, role: "guest", workspaceRole });
}

async function exportedBy(person: Person): Promise<{ id: string; url: string }> {
  const asked = await person.post(exportsPath, { what: "catalog", format: "jsonl" }, { prefer: "respond-async" });
  expect(asked.status).toBe(202);
  for (let waited = 0; waited < 20_000; waited += 20) {
    const { body } = await s.owner.get(`${exportsPath}/${asked.body.id}`);
    if (body.status === "completed") return body;
    await sleep(20);
  }
  throw new Error("the export was not made in 20 s");
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

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
    const person = await member();
    const { url } = await exportedBy(person);
    const before = await statusOf(url);
    await s.store.write((db) => end(db, person));
    statuses[why] = [before, await statusOf(url)];
  }
  expect(statuses).toEqual(Object.fromEntries(Object.keys(ends).map((why) => [why, [200, 404]])));
});
