import { z } from "zod";
import type { DomainRow } from "../../db/identity/domains.ts";
import { ownershipRecord } from "../../core/identity/domain-ownership.ts";
import { Id, InstantField, organizationPath } from "../../core/fields.ts";

export const domainPath = {
  ...organizationPath,
  domain_id: Id.describe("Domain of the organization; listOrganizationDomains gives it."),
};

export const OrganizationDomain = z
  .object({
    id: Id,
    domain: z.string(),
    verified: z.boolean().describe("True once the DNS has shown that it is the organization's."),
    record_name: z.string().describe("Where the DNS has to carry the TXT record; the domain itself serves as well."),
    record_value: z.string().describe("The text of the TXT record."),
    created_at: InstantField,
    verified_at: InstantField.nullable(),
  })
  .meta({ id: "OrganizationDomain" });

export function shapeDomain(row: DomainRow): z.input<typeof OrganizationDomain> {
  const record = ownershipRecord(row);
  return {
    id: row.id,
    domain: row.domain,
    verified: row.verifiedAt !== null,
    record_name: record.name,
    record_value: record.value,
    created_at: row.createdAt,
    verified_at: row.verifiedAt,
  };
}
