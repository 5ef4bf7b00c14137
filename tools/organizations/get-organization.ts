import { z } from "zod";
import { findAccessState, NO_TARGET } from "../../db/identity/access.ts";
import { findOrganization } from "../../db/identity/organizations.ts";
import { countQuotaUse } from "../../db/credits/quotas.ts";
import { notFound } from "../../core/shared/errors.ts";
import { organizationPath } from "../../core/shared/fields.ts";
import { weakerRole } from "../../core/identity/roles.ts";
import { endpoint } from "../endpoint.ts";
import { OrganizationWithUse, shapeOrganization } from "./organization.ts";

export const getOrganization = endpoint({
  name: "getOrganization",
  method: "GET",
  path: "/v1/organizations/:organization_id",
  group: "Organizations",
  summary: "Read an organization",
  description:
    "Read the plan, modules and quotas of an organization, and how much of each quota is used. For credits use get_credits.",
  access: { organization: "viewer" },
  input: z.strictObject(organizationPath),
  output: OrganizationWithUse,
  async handle(_input, { db, tenant, caller, userId }) {
    const row = await findOrganization(tenant);
    const who = await findAccessState(db, userId, { ...NO_TARGET, organizationId: tenant.organizationId });
    if (!row || !who?.organizationRole) throw notFound("organization");
    const role = weakerRole(who.organizationRole, caller?.reach?.role ?? "owner");
    return { ...shapeOrganization(row, role), used: await countQuotaUse(tenant) };
  },
});
