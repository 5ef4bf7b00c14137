import { setTimeout as sleep } from "node:timers/promises";
import type { Secrets } from "../../../auth/keys/secrets.ts";
import {
  finishPlatformRefresh,
  findPlatformConnection,
  toPlatformSealContext,
  updatePlatformConnection,
  type PlatformConnectionRow,
  type RefreshOutcome,
} from "../../../db/platforms/platform-connections.ts";
import type { Store, Tenant } from "../../../db/engine/store.ts";
import {
  PlatformFault,
  parseStoredTokens,
  computeRefreshTime,
  serialiseTokens,
  type Platform,
  type PlatformTokens,
} from "../../../core/platforms/platforms.ts";
import type { OutsideSystems } from "../../../core/shared/outside-systems.ts";
import { addMs, type Instant, latestPlausible } from "../../../core/shared/time.ts";

export interface PlatformUse {
  store: Store;
  secrets: Pick<Secrets, "seal" | "unseal">;
  outside: Pick<OutsideSystems, "platforms">;
  now: () => Instant;
  newId: () => string;
}

export interface ConnectionId {
  organizationId: string;
  workspaceId: string;
  id: string;
}

export interface UsableConnection {
  connection: PlatformConnectionRow;
  platform: Platform;
  accessToken: string;
}

const POLL_MS = 100;
/** Longer than any lease. */
const MAX_WAIT_MS = 150_000;

type RefreshTurn =
  | { kind: "usable"; usableConnection: UsableConnection }
  | { kind: "ours"; connection: PlatformConnectionRow; platform: Platform; leaseOwner: string }
  | { kind: "theirs" }
  | undefined;

/** One caller renews, others wait. Undefined without a usable connection. Throws PlatformFault. */
export async function getFreshTokens(
  connectionId: ConnectionId,
  use: PlatformUse,
  rejectedConnection?: PlatformConnectionRow,
): Promise<UsableConnection | undefined> {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += POLL_MS) {
    const turn = await use.store.write((db) =>
      takeRefreshTurn({ ...connectionId, db }, connectionId.id, use, rejectedConnection),
    );
    if (turn === undefined) return undefined;
    if (turn.kind === "usable") return turn.usableConnection;
    if (turn.kind === "ours") await renewTokens(turn, connectionId, use);
    else await sleep(POLL_MS);
  }
  throw new PlatformFault("unavailable", "Another process is renewing the tokens and did not finish in time.");
}

/** Stores the renewal before it starts. */
async function takeRefreshTurn(
  tenant: Tenant,
  id: string,
  { secrets, outside, now, newId }: PlatformUse,
  refused: PlatformConnectionRow | undefined,
): Promise<RefreshTurn> {
  const at = now();
  const connection = await findPlatformConnection(tenant, id);
  if (connection?.status !== "active") return undefined;
  const platform = outside.platforms.get(connection.platform);
  if (!platform) throw new PlatformFault("unexpected", "This platform is no longer configured.");
  const isRefused = refused?.sealedTokens === connection.sealedTokens;
  const isDue = isRefused || (connection.refreshAt !== null && connection.refreshAt <= at);
  if (!isDue) {
    const { accessToken } = parseStoredTokens(secrets.unseal(connection.sealedTokens, toPlatformSealContext(id)));
    return { kind: "usable", usableConnection: { connection, platform, accessToken } };
  }
  const { refreshLeaseEnd } = connection;
  const isLeased =
    refreshLeaseEnd !== null && refreshLeaseEnd > at && refreshLeaseEnd <= latestPlausible(at, MAX_WAIT_MS);
  if (isLeased) return { kind: "theirs" };
  const leaseOwner = newId();
  const lease = { refreshOwner: leaseOwner, refreshLeaseEnd: addMs(at, platform.maxCallMs), refreshPending: true };
  await updatePlatformConnection(tenant, id, lease);
  return { kind: "ours", connection, platform, leaseOwner };
}

async function renewTokens(
  {
    connection,
    platform,
    leaseOwner: refreshOwner,
  }: { connection: PlatformConnectionRow; platform: Platform; leaseOwner: string },
  which: ConnectionId,
  { store, secrets, now }: PlatformUse,
): Promise<void> {
  const { id, scopes } = connection;
  const before = parseStoredTokens(secrets.unseal(connection.sealedTokens, toPlatformSealContext(id)));
  const end = async (how: RefreshOutcome) =>
    store.write((db) => finishPlatformRefresh({ ...which, db }, { id, refreshOwner, at: now() }, how));
  if (before.refreshToken === null) return void (await end({ kind: "expired", problem: "not_renewable" }));
  let tokens: PlatformTokens;
  try {
    tokens = await platform.refresh({ refreshToken: before.refreshToken, scopes }, now());
  } catch (error) {
    if (!(error instanceof PlatformFault)) throw error;
    // The rejection may follow from a lost renewal response that consumed the refresh token.
    if (error.kind === "refused") {
      return void (await end({ kind: "expired", problem: connection.refreshPending ? "interrupted" : "refused" }));
    }
    await end({ kind: "open", problem: error.kind === "unavailable" ? "unavailable" : "unexpected" });
    throw error;
  }
  const stored = await end({
    kind: "renewed",
    sealedTokens: secrets.seal(serialiseTokens(tokens), toPlatformSealContext(id)),
    scopes: tokens.scopes,
    expiresAt: tokens.expiresAt,
    refreshAt: computeRefreshTime(tokens, now()),
  });
  if (stored) return;
  // The platform was disconnected meanwhile, so the new tokens must be revoked.
  const present = await store.read((db) => findPlatformConnection({ ...which, db }, id));
  if (!present) await platform.revoke(tokens).catch(() => undefined);
}
