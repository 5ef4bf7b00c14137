import { z } from "zod";
import type { OrganizationRow } from "../../db/identity/organizations.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { Id, InstantField } from "../../core/shared/fields.ts";
import { QUOTAS, quotaLimits } from "../../core/credits/quotas.ts";
import { ORGANIZATION_ROLES, type OrganizationRole } from "../../core/identity/roles.ts";

export const OrganizationSchema = z
  .object({
    id: Id,
    name: z.string(),
    plan: z.string(),
    modules: z.array(z.string()).describe("Parts of the product that the plan includes."),
    quotas: z.record(z.enum(QUOTAS), z.int()).describe("Quotas over all workspaces."),
    monthly_credit_cap: z.int().nullable().describe("Maximum credits committed per month; null for no cap."),
    approval_above_credits: z
      .int()
      .nullable()
      .describe("Quotes of more credits need approval by a person in the browser; null for never."),
    owners_need_second_factor: z.boolean().describe("true: owners who sign in with a password need a second factor."),
    role: z.enum(ORGANIZATION_ROLES).describe("Your role in the organization."),
    created_at: InstantField,
  })
  .meta({ id: "Organization" });

export const OrganizationWithUse = OrganizationSchema.extend({
  used: z.record(z.enum(QUOTAS), z.int()).describe("Use of each quota."),
}).meta({ id: "OrganizationWithUse" });

export function shapeOrganization(row: OrganizationRow, role: OrganizationRole): z.input<typeof OrganizationSchema> {
  return {
    ...toSnakeCase(row),
    quotas: quotaLimits(row),
    role,
  };
}
