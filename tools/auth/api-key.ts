import { z } from "zod";
import { authorise } from "../../auth/authorise.ts";
import { requireUserKey, type Caller } from "../../auth/caller.ts";
import { findApiKey, type ApiKeyRow, type ApiKeyWithOwner } from "../../db/identity/api-keys.ts";
import type { Db } from "../../db/engine/store.ts";
import { AppError, notFound } from "../../core/shared/errors.ts";
import { Id, InstantField } from "../../core/shared/fields.ts";
import { API_KEY_KINDS, API_KEY_STATUSES, ORGANIZATION_ROLES } from "../../core/identity/roles.ts";
import type { Instant } from "../../core/shared/time.ts";

export const ApiKey = z
  .object({
    id: Id,
    kind: z
      .enum(API_KEY_KINDS)
      .describe("Reach of the key: all organizations of its creator, one organization, or one workspace."),
    name: z.string(),
    organization_id: Id.nullable(),
    workspace_id: Id.nullable(),
    role: z.enum(ORGANIZATION_ROLES).nullable().describe("Maximum role; null: the role of its creator."),
    hint: z.string().describe("First and last characters of the key."),
    status: z.enum(API_KEY_STATUSES),
    created_by: z
      .object({ id: Id, email: z.string(), name: z.string() })
      .describe("Person whose current rights limit the key."),
    created_at: InstantField,
    expires_at: InstantField.nullable(),
    last_used_at: InstantField.nullable().describe("Time of the last exchange or token refresh."),
    revoked_at: InstantField.nullable(),
    rotated_to_id: Id.nullable().describe("Key that replaces this one, which expires at expires_at."),
  })
  .meta({ id: "ApiKey" });

export function shapeApiKey({ key, person }: ApiKeyWithOwner, now: Instant): z.input<typeof ApiKey> {
  const { id, kind, name, role, hint } = key;
  return {
    id,
    kind,
    name,
    role,
    hint,
    organization_id: key.organizationId,
    workspace_id: key.workspaceId,
    status: getStatus(key, now),
    created_by: person,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
    rotated_to_id: key.rotatedToId,
  };
}

function getStatus(key: ApiKeyRow, now: Instant) {
  if (key.revokedAt !== null) return "revoked" as const;
  return key.expiresAt !== null && key.expiresAt <= now ? ("expired" as const) : ("active" as const);
}

export function isOwnKey(caller: Caller | null, apiKeyId: string): boolean {
  return caller?.door === "rest" && caller.reach !== null && caller.clientId === apiKeyId;
}

/** Rejects restricted keys, which may not see or change keys. */
export function requireKeyManager(caller: Caller | null): Caller {
  if (!caller) throw new AppError("UNAUTHENTICATED", "Sign in first.");
  requireUserKey(caller, "API keys");
  return caller;
}

export async function requireAdministrator(
  scope: { organizationId: string | null; workspaceId: string | null },
  need: { caller: Caller; isWrite: boolean },
  db: Db,
): Promise<void> {
  const access = scope.workspaceId === null ? ({ organization: "owner" } as const) : ({ workspace: "editor" } as const);
  await authorise({ access, scope: "read", isWrite: need.isWrite }, { ...scope, projectId: null }, need.caller, db);
}

/** A restricted key sees only itself. */
export async function requireManagedKey(asking: Caller | null, id: string, db: Db): Promise<ApiKeyWithOwner> {
  const caller = asking && isOwnKey(asking, id) ? asking : requireKeyManager(asking);
  const found = await findApiKey(db, id);
  if (found && (found.person.id === caller.userId || (await canAdminister(found.key, caller, db)))) return found;
  throw notFound("API key");
}

async function canAdminister(
  { kind, organizationId, workspaceId }: ApiKeyRow,
  caller: Caller,
  db: Db,
): Promise<boolean> {
  if (kind === "user") return false;
  try {
    await requireAdministrator({ organizationId, workspaceId }, { caller, isWrite: false }, db);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
}
