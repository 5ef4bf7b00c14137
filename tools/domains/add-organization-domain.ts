import { z } from "zod";
import { countDomains, findDomain, insertDomain } from "../../db/identity/domains/domains.ts";
import { findDomainFaults, newOwnershipToken } from "../../core/identity/domain-ownership.ts";
import { AppError, invalidInput } from "../../core/shared/errors.ts";
import { Domain, organizationPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { OrganizationDomain, shapeDomain } from "./organization-domain.ts";

const MAX_DOMAINS = 500;

export const addOrganizationDomain = endpoint({
  name: "addOrganizationDomain",
  method: "POST",
  path: "/v1/organizations/:organization_id/domains",
  status: 201,
  group: "SSO",
  summary: "Claim a domain for an organization",
  logged: "Claimed domain {domain}",
  description: "Claims an e-mail domain. The response has the TXT record to publish as proof of ownership.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: z.strictObject({
    ...organizationPath,
    domain: Domain.describe("Part of your e-mail addresses after the @.").meta({ examples: ["example.com"] }),
  }),
  output: OrganizationDomain,
  errors: ["CONFLICT"],
  async handle({ domain }, { tenant, now, newId }) {
    const faults = findDomainFaults(domain);
    if (faults.length > 0) throw invalidInput(faults);
    if (await findDomain(tenant, { domain })) {
      throw new AppError("CONFLICT", "The organization already has this domain. Verify the existing one.");
    }
    if ((await countDomains(tenant)) >= MAX_DOMAINS) {
      throw new AppError("CONFLICT", `An organization can have at most ${MAX_DOMAINS} domains. Remove one first.`);
    }
    const claim = { id: newId(), domain, token: newOwnershipToken(), createdAt: now };
    return shapeDomain(await insertDomain(tenant, claim), now);
  },
});
