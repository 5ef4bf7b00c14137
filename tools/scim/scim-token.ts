import { z } from "zod";
import type { ScimTokenRow } from "../../db/identity/provisioning/scim-tokens.ts";
import { Id, InstantField } from "../../core/shared/fields.ts";

export const ScimToken = z
  .object({
    id: Id,
    name: z.string(),
    hint: z.string().describe("First and last characters of the token."),
    created_at: InstantField,
    expires_at: InstantField.nullable(),
    last_used_at: InstantField.nullable(),
    revoked_at: InstantField.nullable(),
  })
  .meta({ id: "ScimToken" });

export function shapeScimToken(row: ScimTokenRow): z.input<typeof ScimToken> {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    revoked_at: row.revokedAt,
  };
}
