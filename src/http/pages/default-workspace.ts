import { findWorkspacesInUse } from "../../../db/catalog/workspaces.ts";
import type { Store } from "../../../db/engine/store.ts";

/** Default workspace: the first with an analysis, else the first. */
export async function findDefaultWorkspace<Workspace extends { id: string }>(
  store: Store,
  workspaces: readonly Workspace[],
): Promise<Workspace | undefined> {
  const ids = workspaces.map(({ id }) => id);
  const used = await store.read((db) => findWorkspacesInUse(db, ids));
  return workspaces.find(({ id }) => used.has(id)) ?? workspaces[0];
}
