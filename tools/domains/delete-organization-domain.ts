import { z } from "zod";
import { deleteDomain } from "../../db/identity/domains/domains.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { domainPath } from "./organization-domain.ts";

export const deleteOrganizationDomain = endpoint({
  name: "deleteOrganizationDomain",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/domains/:domain_id",
  group: "SSO",
  summary: "Remove an organization's domain",
  logged: "Removed domain {domain_id}",
  description: "Removes a domain. Its e-mail addresses no longer use the organization's single sign-on.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: z.strictObject(domainPath),
  output: z.object({ id: Id, deleted: z.literal(true) }),
  async handle({ domain_id }, { tenant }) {
    if (!(await deleteDomain(tenant, domain_id))) throw notFound("domain");
    return { id: domain_id, deleted: true as const };
  },
});
