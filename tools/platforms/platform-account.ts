import { z } from "zod";
import type { PlatformAccountRow } from "../../db/platforms/platform-accounts.ts";
import { snakeCased } from "../../core/shared/snake-cased.ts";
import { Id, InstantField, outsideText } from "../../core/shared/fields.ts";
import { PLATFORM_ACCOUNT_STATUSES, PLATFORMS } from "../../core/platforms/platforms.ts";

export const PlatformField = z.enum(PLATFORMS);
export const AccountStatusField = z
  .enum(PLATFORM_ACCOUNT_STATUSES)
  .describe("Whether this workspace uses the account.");

export const PlatformAccount = z
  .object({
    id: Id,
    platform: PlatformField,
    platform_integration_id: Id.describe("The connection that reaches it."),
    external_id: outsideText().describe("The platform's identifier."),
    name: outsideText(),
    status: AccountStatusField,
    reachable: z.boolean().describe("False once the platform lists it no more."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "PlatformAccount" });

export function shapeAccount(row: PlatformAccountRow): z.input<typeof PlatformAccount> {
  return {
    ...snakeCased(row),
    platform_integration_id: row.connectionId,
    reachable: row.isReachable,
  };
}
