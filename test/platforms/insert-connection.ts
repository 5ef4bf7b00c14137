import { toPlatformSealContext, insertPlatformConnection } from "../../db/platforms/platform-connections.ts";
import { storePlatformAccounts } from "../../db/platforms/platform-accounts.ts";
import { serialiseTokens, type PlatformKind, type PlatformTokens } from "../../core/platforms/platforms.ts";
import type { world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;

/** A connection as the console leaves it, with an account, without a platform to ask. */
export async function insertConnection(
  { deps, store }: World,
  of: { organizationId: string; workspaceId: string; userId: string; platform: PlatformKind },
  tokens: Partial<PlatformTokens> = {},
): Promise<string> {
  const { organizationId, workspaceId, userId: connectedBy, platform } = of;
  const [id, at] = [deps.newId(), deps.now()];
  const given = { accessToken: "access", refreshToken: "refresh", expiresAt: null, scopes: [], ...tokens };
  await store.write(async (db) => {
    const tenant = { db, organizationId, workspaceId };
    const connection = await insertPlatformConnection(tenant, {
      id,
      platform,
      status: "active",
      problem: null,
      scopes: given.scopes,
      sealedTokens: deps.secrets.seal(serialiseTokens(given), toPlatformSealContext(id)),
      expiresAt: given.expiresAt,
      refreshAt: given.expiresAt,
      refreshOwner: null,
      refreshLeaseEnd: null,
      refreshPending: false,
      refreshedAt: at,
      accountsListedAt: at,
      connectedBy,
      createdAt: at,
      updatedAt: at,
    });
    await storePlatformAccounts(tenant, connection, [{ id: `${platform}-1`, name: "One" }], { newId: deps.newId, at });
  });
  return id;
}
