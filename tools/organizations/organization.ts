import { z } from "zod";
import type { OrganizationRow } from "../../db/organizations.ts";
import { Id, InstantField } from "../../src/core/fields.ts";
import { ORGANIZATION_ROLES, type OrganizationRole } from "../../src/core/roles.ts";

export const Organization = z
  .object({
    id: Id,
    name: z.string(),
    plan: z.string(),
    modules: z.array(z.string()).describe("Parts of the product that the plan includes."),
    quotas: z.record(z.string(), z.int()).describe("Upper bounds by name, such as workspaces."),
    role: z.enum(ORGANIZATION_ROLES).describe("Your role in it."),
    created_at: InstantField,
  })
  .meta({ id: "Organization" });

export function shapeOrganization(row: OrganizationRow, role: OrganizationRole): z.input<typeof Organization> {
  const { id, name, plan, modules, quotas, createdAt } = row;
  return { id, name, plan, modules, quotas, role, created_at: createdAt };
}
