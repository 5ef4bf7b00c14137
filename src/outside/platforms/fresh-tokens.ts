import { setTimeout as sleep } from "node:timers/promises";
import type { Secrets } from "../../../auth/keys/secrets.ts";
import {
  endPlatformRefresh,
  findPlatformConnection,
  platformTokensPlace,
  updatePlatformConnection,
  type PlatformConnectionRow,
  type RefreshEnd,
} from "../../../db/platforms/platform-connections.ts";
import type { Store, Tenant } from "../../../db/engine/store.ts";
import {
  PlatformFault,
  readTokensText,
  refreshTime,
  tokensText,
  type Platform,
  type PlatformTokens,
} from "../../../core/platforms/platforms.ts";
import type { Outside } from "../../../core/shared/outside.ts";
import { later, type Instant } from "../../../core/shared/time.ts";
import { furthest } from "../../../core/jobs/waits.ts";

export interface PlatformUse {
  store: Store;
  secrets: Pick<Secrets, "seal" | "unseal">;
  outside: Pick<Outside, "platforms">;
  now: () => Instant;
  newId: () => string;
}

export interface ConnectionId {
  organizationId: string;
  workspaceId: string;
  id: string;
}

export interface Usable {
  connection: PlatformConnectionRow;
  platform: Platform;
  accessToken: string;
}

const WAIT_MS = 100;
/** Longer than any lease. */
const LONGEST_WAIT_MS = 150_000;

type Turn =
  | { kind: "usable"; usable: Usable }
  | { kind: "ours"; connection: PlatformConnectionRow; platform: Platform; owner: string }
  | { kind: "theirs" }
  | undefined;

/** One caller renews, others wait. Undefined without a usable connection. Throws PlatformFault. */
export async function freshTokens(
  which: ConnectionId,
  use: PlatformUse,
  refused?: PlatformConnectionRow,
): Promise<Usable | undefined> {
  for (let waited = 0; waited < LONGEST_WAIT_MS; waited += WAIT_MS) {
    const turn = await use.store.write((db) => takeTurn({ ...which, db }, which.id, use, refused));
    if (turn === undefined) return undefined;
    if (turn.kind === "usable") return turn.usable;
    if (turn.kind === "ours") await renew(turn, which, use);
    else await sleep(WAIT_MS);
  }
  throw new PlatformFault("unavailable", "Another process renews the tokens, and does not come to an end.");
}

/** Stores the renewal before it starts. */
async function takeTurn(
  tenant: Tenant,
  id: string,
  { secrets, outside, now, newId }: PlatformUse,
  refused: PlatformConnectionRow | undefined,
): Promise<Turn> {
  const at = now();
  const connection = await findPlatformConnection(tenant, id);
  if (connection?.status !== "active") return undefined;
  const platform = outside.platforms.get(connection.platform);
  if (!platform) throw new PlatformFault("unexpected", "This platform is no longer configured.");
  const isRefused = refused?.sealedTokens === connection.sealedTokens;
  const isDue = isRefused || (connection.refreshAt !== null && connection.refreshAt <= at);
  if (!isDue) {
    const { accessToken } = readTokensText(secrets.unseal(connection.sealedTokens, platformTokensPlace(id)));
    return { kind: "usable", usable: { connection, platform, accessToken } };
  }
  const { refreshLeaseEnd } = connection;
  const isLeased = refreshLeaseEnd !== null && refreshLeaseEnd > at && refreshLeaseEnd <= furthest(at, LONGEST_WAIT_MS);
  if (isLeased) return { kind: "theirs" };
  const owner = newId();
  const lease = { refreshOwner: owner, refreshLeaseEnd: later(at, platform.patienceMs), refreshPending: true };
  await updatePlatformConnection(tenant, id, lease);
  return { kind: "ours", connection, platform, owner };
}

async function renew(
  { connection, platform, owner }: { connection: PlatformConnectionRow; platform: Platform; owner: string },
  which: ConnectionId,
  { store, secrets, now }: PlatformUse,
): Promise<void> {
  const { id, scopes } = connection;
  const before = readTokensText(secrets.unseal(connection.sealedTokens, platformTokensPlace(id)));
  const end = async (how: RefreshEnd) =>
    store.write((db) => endPlatformRefresh({ ...which, db }, { id, owner, at: now() }, how));
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
    sealedTokens: secrets.seal(tokensText(tokens), platformTokensPlace(id)),
    scopes: tokens.scopes,
    expiresAt: tokens.expiresAt,
    refreshAt: refreshTime(tokens, now()),
  });
  if (stored) return;
  // The platform was disconnected meanwhile, so the new tokens must be revoked.
  const present = await store.read((db) => findPlatformConnection({ ...which, db }, id));
  if (!present) await platform.revoke(tokens).catch(() => undefined);
}
