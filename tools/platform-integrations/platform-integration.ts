import { z } from "zod";
import type { PartnerConnectionRow } from "../../db/partner-connections.ts";
import { InstantField, name } from "../../src/core/fields.ts";

/** What a caller may set of the connection to the partner. */
export const connectionFields = {
  partner_workspace_id: name(255).describe("The workspace at the partner."),
  recipients: z
    .array(z.email().max(254))
    .max(50)
    .refine((list) => new Set(list.map((one) => one.toLowerCase())).size === list.length, "must not repeat an address")
    .default([])
    .describe("E-mail addresses of the writers; empty where the partner has its own."),
  max_brief_length: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(50_000)
    .describe("Most characters of a brief's title and body together."),
};

/** A platform that the workspace is connected to. Its secret is never shown. */
export const PlatformIntegration = z
  .object({
    platform: z.literal("partner"),
    api_token_hint: z.string().describe("How the stored token ends."),
    partner_workspace_id: z.string(),
    recipients: z.array(z.string()),
    max_brief_length: z.int(),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "PlatformIntegration" });

export function shapeConnection(row: PartnerConnectionRow): z.input<typeof PlatformIntegration> {
  return {
    platform: "partner",
    api_token_hint: row.tokenHint,
    partner_workspace_id: row.partnerWorkspaceId,
    recipients: row.recipients,
    max_brief_length: row.maxBriefLength,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
