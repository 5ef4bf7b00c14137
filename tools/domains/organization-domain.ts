import { z } from "zod";
import type { DomainRow } from "../../db/identity/domains/domains.ts";
import { DOMAIN_STATES, lapsesAt, getDomainStatus } from "../../core/identity/domain-lookup.ts";
import { DOMAIN_VERIFIERS, buildOwnershipRecord } from "../../core/identity/domain-ownership.ts";
import { Id, InstantField, organizationPath } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import type { Instant } from "../../core/shared/time.ts";

export const domainPath = {
  ...organizationPath,
  domain_id: Id.describe("Domain id, from listOrganizationDomains."),
};

export const OrganizationDomain = z
  .object({
    id: Id,
    domain: z.string(),
    verified: z.boolean().describe("true: the DNS or the operator has proved ownership."),
    status: z
      .enum(DOMAIN_STATES)
      .describe(
        "failing: the record was missing in three look-ups on three days; publish it again before lapses_at. lapsed: no new accounts are created or linked until the record is found; linked people can still sign in.",
      ),
    record_name: z.string().describe("DNS name of the TXT record; the domain itself also works."),
    record_value: z.string().describe("Value of the TXT record."),
    created_at: InstantField,
    verified_at: InstantField.nullable(),
    verified_by: z
      .enum(DOMAIN_VERIFIERS)
      .nullable()
      .describe("dns: the record is checked every week. operator: verified by hand, never checked again."),
    last_looked_up_at: InstantField.nullable().describe("Time of the last answer from a name server."),
    warned_at: InstantField.nullable().describe("Time since which the record is missing; null while it is found."),
    lapses_at: InstantField.nullable().describe(
      "Time from which no new accounts are created or linked, unless the record is found before.",
    ),
  })
  .meta({ id: "OrganizationDomain" });

export function shapeDomain(row: DomainRow, now: Instant): z.input<typeof OrganizationDomain> {
  const record = buildOwnershipRecord(row);
  return {
    ...toSnakeCase(row),
    verified: row.verifiedAt !== null,
    status: getDomainStatus(row, now),
    record_name: record.name,
    record_value: record.value,
    last_looked_up_at: row.lookedUpAt,
    lapses_at: lapsesAt(row),
  };
}
