import { z } from "zod";
import { listDomains } from "../../db/identity/domains/domains.ts";
import { DOMAIN_STATES } from "../../core/identity/domain-lookup.ts";
import { listSchema, listQuery, organizationPath } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { OrganizationDomain, shapeDomain } from "./organization-domain.ts";

export const listOrganizationDomains = endpoint({
  name: "listOrganizationDomains",
  method: "GET",
  path: "/v1/organizations/:organization_id/domains",
  group: "SSO",
  summary: "List an organization's domains",
  description: "Lists the e-mail domains that an organization claims, with their status.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({
    ...organizationPath,
    ...listQuery,
    status: z.enum(DOMAIN_STATES).optional().describe("Only domains with this status."),
  }),
  output: listSchema(OrganizationDomain),
  async handle(input, { tenant, now }) {
    const { status } = input;
    const rows = await listDomains(tenant, parsePagination("organization-domains", input), status && { status, now });
    return toPage("organization-domains", input, rows, {
      key: (row) => [row.domain],
      row: (row) => shapeDomain(row, now),
    });
  },
});
