import { z } from "zod";
import { listDomains } from "../../db/identity/domains.ts";
import { listOf, listQuery, organizationPath } from "../../core/fields.ts";
import { pageOf, readPage } from "../../core/page.ts";
import { endpoint } from "../endpoint.ts";
import { OrganizationDomain, shapeDomain } from "./organization-domain.ts";

export const listOrganizationDomains = endpoint({
  name: "listOrganizationDomains",
  method: "GET",
  path: "/v1/organizations/:organization_id/domains",
  group: "SSO",
  summary: "List an organization's domains",
  description: "Lists the e-mail domains that an organization claims, and which of them are verified.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject({ ...organizationPath, ...listQuery }),
  output: listOf(OrganizationDomain),
  async handle(input, { tenant }) {
    const rows = await listDomains(tenant, readPage("organization-domains", input));
    return pageOf("organization-domains", input, rows, { key: (row) => [row.domain], row: shapeDomain });
  },
});
