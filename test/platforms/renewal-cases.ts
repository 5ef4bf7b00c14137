import { expect } from "vitest";
import {
  findPlatformConnection,
  toPlatformSealContext,
  updatePlatformConnection,
} from "../../db/platforms/platform-connections.ts";
import { parseStoredTokens } from "../../core/platforms/platforms.ts";
import { toInstant } from "../../core/shared/time.ts";
import { openCommitted } from "../support/committed.ts";
import type { platformScene } from "./scene.ts";

type Scene = Awaited<ReturnType<typeof platformScene>>;

export function tenantOf(scene: Scene, db = openCommitted(scene.w.store)) {
  return { db, organizationId: scene.organization.id, workspaceId: scene.workspace.id };
}

/**
 * Connects a platform; returns functions that read the connection and its tokens, and make them due
 * for renewal.
 */
export async function connectPlatform(scene: Scene) {
  const { arrived } = await scene.connect();
  expect(arrived.url.search).toBe("?came=connected");
  const { id } = (await scene.owner.get(scene.rest)).body.data[0];
  const row = async () => {
    const found = await findPlatformConnection(tenantOf(scene), id);
    if (!found) throw new Error("The connection is gone.");
    return found;
  };
  const tokens = async () => {
    const text = scene.w.deps.secrets.unseal((await row()).sealedTokens, toPlatformSealContext(id));
    return parseStoredTokens(text);
  };
  const expire = () =>
    scene.w.store.write((db) =>
      updatePlatformConnection(tenantOf(scene, db), id, { refreshAt: toInstant(Date.now() - 1) }),
    );
  const { organizationId, workspaceId } = tenantOf(scene);
  return { id, which: { id, organizationId, workspaceId }, row, tokens, expire };
}
