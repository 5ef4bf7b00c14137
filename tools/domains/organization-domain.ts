import { z } from "zod";
import type { DomainRow } from "../../db/identity/domains/domains.ts";
import { DOMAIN_STATES, lapsesAt, domainStatusOf } from "../../core/identity/domain-lookup.ts";
import { DOMAIN_VERIFIERS, ownershipRecord } from "../../core/identity/domain-ownership.ts";
import { Id, InstantField, organizationPath } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import type { Instant } from "../../core/shared/time.ts";

export const domainPath = {
  ...organizationPath,
  domain_id: Id.describe("Domain of the organization; listOrganizationDomains gives it."),
};

export const OrganizationDomain = z
  .object({
    id: Id,
    domain: z.string(),
    verified: z.boolean().describe("True once the DNS or the operator has shown that it is the organization's."),
    status: z
      .enum(DOMAIN_STATES)
      .describe(
        "failing: the record was missing at three look-ups on three days; put it back before lapses_at. lapsed: the domain gives no new links and accounts until the record is found; people who are linked still sign in.",
      ),
    record_name: z.string().describe("Where the DNS has to carry the TXT record; the domain itself serves as well."),
    record_value: z.string().describe("The text of the TXT record."),
    created_at: InstantField,
    verified_at: InstantField.nullable(),
    verified_by: z
      .enum(DOMAIN_VERIFIERS)
      .nullable()
      .describe("dns: the record is looked up again every week. operator: by hand, and not looked up again."),
    last_looked_up_at: InstantField.nullable().describe("When a name server last answered."),
    warned_at: InstantField.nullable().describe("Since when the record is missing; null while all is well."),
    lapses_at: InstantField.nullable().describe(
      "From then on the domain gives no new links and accounts, unless the record is found before.",
    ),
  })
  .meta({ id: "OrganizationDomain" });

export function shapeDomain(row: DomainRow, now: Instant): z.input<typeof OrganizationDomain> {
  const record = ownershipRecord(row);
  return {
    ...toSnakeCase(row),
    verified: row.verifiedAt !== null,
    status: domainStatusOf(row, now),
    record_name: record.name,
    record_value: record.value,
    last_looked_up_at: row.lookedUpAt,
    lapses_at: lapsesAt(row),
  };
}
