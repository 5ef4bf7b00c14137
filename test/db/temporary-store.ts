import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { type Db } from "../../db/engine/store.ts";

/** A store in a temporary folder, deleted with it. */
export async function temporaryStore() {
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  const store = await openStore(folder);
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
/** A row of an organization. */
export const organization = (id: string) => ({
  id,
  name: id,
  plan: "free",
  modules: [],
  quotas: {},
  createdAt: "2026-11-21T04:31:00.000Z",
});

export const listAll = ({ q, t }: Db) => q.select().from(t.organizations).orderBy(t.organizations.id);
