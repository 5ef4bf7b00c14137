import { z } from "zod";
import type { PartnerConnectionRow } from "../../db/platforms/partner-connections.ts";
import type { PlatformConnectionRow } from "../../db/platforms/platform-connections.ts";
import { Id, InstantField, nameSchema, workspacePath } from "../../core/shared/fields.ts";
import {
  CONNECTION_PROBLEMS,
  CONNECTION_STATUSES,
  PLATFORM_KINDS,
  PROBLEM_REMEDIES,
} from "../../core/platforms/platforms.ts";

export const connectionFields = {
  partner_workspace_id: nameSchema(255).describe("Workspace at the partner."),
  recipients: z
    .array(z.email().max(254))
    .max(50)
    .refine((list) => new Set(list.map((one) => one.toLowerCase())).size === list.length, "must not repeat an address")
    .default([])
    .describe("E-mail addresses of the writers; empty if the partner manages them."),
  max_brief_length: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(50_000)
    .describe("Maximum characters of a brief's title and body together."),
};

export const integrationPath = {
  ...workspacePath,
  platform_integration_id: Id.describe("Connection id, from list_platform_integrations."),
};

/** Never contains the secret. */
export const PlatformIntegration = z
  .object({
    id: Id.nullable().describe("Null for the partner, which has a separate endpoint."),
    platform: z.enum(["partner", ...PLATFORM_KINDS]),
    status: z.enum(CONNECTION_STATUSES).describe("expired: connect again. disabled: switched off by a person."),
    problem: z.object({ code: z.enum(CONNECTION_PROBLEMS), message: z.string().describe("Remedy.") }).nullable(),
    scopes: z.array(z.string()).describe("Granted scopes."),
    expires_at: InstantField.nullable().describe("Expiry of the current token, which is renewed before."),
    accounts_listed_at: InstantField.nullable().describe("Time of the last account listing; null before the first."),
    api_token_hint: z.string().nullable().describe("For the partner: last characters of the stored token."),
    partner_workspace_id: z.string().nullable(),
    recipients: z.array(z.string()),
    max_brief_length: z.int().nullable(),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "PlatformIntegration" });

export function shapePartner(row: PartnerConnectionRow): z.input<typeof PlatformIntegration> {
  return {
    id: null,
    platform: "partner",
    status: "active",
    problem: null,
    scopes: [],
    expires_at: null,
    accounts_listed_at: null,
    api_token_hint: row.tokenHint,
    partner_workspace_id: row.partnerWorkspaceId,
    recipients: row.recipients,
    max_brief_length: row.maxBriefLength,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

export function shapeConnection(row: PlatformConnectionRow): z.input<typeof PlatformIntegration> {
  return {
    id: row.id,
    platform: row.platform,
    status: row.status,
    problem: row.problem && { code: row.problem, message: PROBLEM_REMEDIES[row.problem] },
    scopes: row.scopes,
    expires_at: row.expiresAt,
    accounts_listed_at: row.accountsListedAt,
    api_token_hint: null,
    partner_workspace_id: null,
    recipients: [],
    max_brief_length: null,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}
