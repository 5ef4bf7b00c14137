import { apiKeyHint, newApiKey } from "../../auth/keys/api-key.ts";
import type { Caller } from "../../auth/caller.ts";
import { findApiKey, insertApiKey, type ApiKeyRow, type KeyOfPerson } from "../../db/identity/api-keys.ts";
import { requireRoom } from "../../db/catalog/quotas.ts";
import { findUser } from "../../db/identity/users.ts";
import { AppError, notFound } from "../../core/errors.ts";
import type { Instant } from "../../core/time.ts";
import type { Context } from "../endpoint.ts";
import { keyManager, refuseOthers } from "./api-key.ts";

/** What a new key is to be. */
export type WantedKey = Pick<
  ApiKeyRow,
  "id" | "name" | "kind" | "organizationId" | "workspaceId" | "role" | "expiresAt"
>;

/**
 * Makes a key that is the caller's, who must administer what it reaches: an owner of the organization, or an editor of
 * the workspace. A key that is made with a key ends with it at the latest. Gives the secret beside what is kept.
 */
export async function makeApiKey(wanted: WantedKey, context: Context): Promise<KeyOfPerson & { secret: string }> {
  const { db, userId, now, restTokens } = context;
  const caller = keyManager(context.caller);
  const maker = await makerOf(context, caller);
  const { kind, organizationId, workspaceId } = wanted;
  if (kind !== "user") await refuseOthers({ organizationId, workspaceId }, { caller, changes: true }, db);
  if (organizationId !== null) await requireRoom({ db, organizationId }, "api_keys");
  const user = await findUser(db, userId);
  if (!user) throw notFound("account");
  const secret = newApiKey(kind);
  const key: ApiKeyRow = {
    ...wanted,
    userId,
    proofId: caller.proof.id,
    madeWithKeyId: maker?.id ?? null,
    rotatedToId: null,
    keyHash: restTokens.hashApiKey(secret),
    hint: apiKeyHint(secret),
    createdAt: now,
    expiresAt: earlier(wanted.expiresAt, maker?.expiresAt ?? null),
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertApiKey(db, key);
  return { key, person: { id: user.id, email: user.email, name: user.name }, secret };
}

/** The key that asks for another one. Its keys end with it; one that was made so makes no more of them. */
async function makerOf({ db }: Context, caller: Caller): Promise<ApiKeyRow | undefined> {
  if (!caller.reach || caller.clientId === null) return undefined;
  const maker = await findApiKey(db, caller.clientId);
  if (!maker || maker.key.madeWithKeyId !== null) {
    throw new AppError("FORBIDDEN", "A key that was made with a key cannot make further keys. Use the console.");
  }
  return maker.key;
}

/** The earlier end; null is none. */
function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
