import { formatApiKeyHint, newApiKey } from "../../auth/keys/api-key.ts";
import { insertApiKey, type ApiKeyRow, type ApiKeyWithOwner } from "../../db/identity/api-keys.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import { findUser } from "../../db/identity/users.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import type { Context } from "../endpoint.ts";
import { requireKeyManager, requireAdministrator } from "./api-key.ts";

export type WantedKey = Pick<
  ApiKeyRow,
  "id" | "name" | "kind" | "organizationId" | "workspaceId" | "role" | "expiresAt" | "madeWithKeyId"
>;

export async function requireAdministered(wanted: WantedKey, context: Context): Promise<void> {
  const caller = requireKeyManager(context.caller);
  const { kind, organizationId, workspaceId } = wanted;
  if (kind !== "user")
    await requireAdministrator({ organizationId, workspaceId }, { caller, isWrite: true }, context.db);
}

/** The secret is not stored. */
export async function issueApiKey(wanted: WantedKey, context: Context): Promise<ApiKeyWithOwner & { secret: string }> {
  const { db, userId, now, restTokens, caller } = context;
  if (!caller) throw new AppError("UNAUTHENTICATED", "Sign in first.");
  const { kind, organizationId } = wanted;
  if (organizationId !== null) await requireQuota({ db, organizationId }, "api_keys");
  const user = requireFound(await findUser(db, userId), "account");
  const secret = newApiKey(kind);
  const key: ApiKeyRow = {
    ...wanted,
    userId,
    proofId: caller.proof.id,
    rotatedToId: null,
    keyHash: restTokens.hashApiKey(secret),
    hint: formatApiKeyHint(secret),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertApiKey(db, key);
  return { key, person: { id: user.id, email: user.email, name: user.name }, secret };
}
