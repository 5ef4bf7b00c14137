import { z } from "zod";
import type { Caller } from "../../auth/caller.ts";
import type { ApiKeyRow } from "../../db/api-keys.ts";
import { AppError } from "../../src/core/errors.ts";
import { Id, InstantField } from "../../src/core/fields.ts";
import { API_KEY_KINDS, ORGANIZATION_ROLES } from "../../src/core/roles.ts";

export const ApiKey = z
  .object({
    id: Id,
    kind: z
      .enum(API_KEY_KINDS)
      .describe("How far it reaches: all of its creator's organizations, one, or a workspace."),
    name: z.string(),
    organization_id: Id.nullable(),
    workspace_id: Id.nullable(),
    role: z.enum(ORGANIZATION_ROLES).nullable().describe("The most it may do; null is all that its creator may."),
    hint: z.string().describe("Its beginning and end, to tell keys apart."),
    created_at: InstantField,
    expires_at: InstantField.nullable(),
    last_used_at: InstantField.nullable(),
    revoked_at: InstantField.nullable(),
  })
  .meta({ id: "ApiKey" });

export function shapeApiKey(row: ApiKeyRow): z.input<typeof ApiKey> {
  const { id, kind, name, role, hint } = row;
  return {
    id,
    kind,
    name,
    role,
    hint,
    organization_id: row.organizationId,
    workspace_id: row.workspaceId,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    revoked_at: row.revokedAt,
  };
}

/** Keys are a person's own matter: a key that reaches less than its creator does not see or change them. */
export function refuseNarrowKey(caller: Caller | null): void {
  if (caller?.reach && caller.reach.kind !== "user") {
    throw new AppError("FORBIDDEN", "Only a person, or a user key of that person, manages API keys.");
  }
}
