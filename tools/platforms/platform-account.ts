import { z } from "zod";
import type { PlatformAccountRow } from "../../db/platforms/platform-accounts.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { Id, InstantField, outsideTextSchema } from "../../core/shared/fields.ts";
import { PLATFORM_ACCOUNT_STATUSES, PLATFORM_KINDS } from "../../core/platforms/platforms.ts";

export const PlatformField = z.enum(PLATFORM_KINDS);
export const AccountStatusField = z
  .enum(PLATFORM_ACCOUNT_STATUSES)
  .describe("active: this workspace uses the account.");

export const PlatformAccount = z
  .object({
    id: Id,
    platform: PlatformField,
    platform_integration_id: Id.describe("Connection that provides the account."),
    external_id: outsideTextSchema().describe("Id at the platform."),
    name: outsideTextSchema(),
    status: AccountStatusField,
    reachable: z.boolean().describe("false: the platform no longer lists the account."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "PlatformAccount" });

export function shapeAccount(row: PlatformAccountRow): z.input<typeof PlatformAccount> {
  return {
    ...toSnakeCase(row),
    platform_integration_id: row.connectionId,
    reachable: row.isReachable,
  };
}
