import { z } from "zod";
import { findDomain, markVerified } from "../../db/identity/domains.ts";
import { provesOwnership, type TxtRecords } from "../../core/identity/domain-ownership.ts";
import { AppError, notFound } from "../../core/errors.ts";
import { endpoint, OutboxEntry } from "../endpoint.ts";
import { domainPath, OrganizationDomain, shapeDomain } from "./organization-domain.ts";

const Claim = z.object({ id: z.string(), domain: z.string(), token: z.string() });

export const verifyOrganizationDomain = endpoint({
  name: "verifyOrganizationDomain",
  method: "POST",
  path: "/v1/organizations/:organization_id/domains/:domain_id/verify",
  group: "SSO",
  summary: "Verify an organization's domain",
  description: "Looks up the TXT record in the DNS now. Call this once the record is published.",
  access: { organization: "owner" },
  notATool: "account administration",
  input: z.strictObject(domainPath),
  output: OrganizationDomain,
  errors: ["CONFLICT", "UNPROCESSABLE"],
  async handle({ domain_id: id }, { tenant }) {
    const row = await findDomain(tenant, { id });
    if (!row) throw notFound("domain");
    if (row.verifiedAt !== null) return shapeDomain(row);
    return new OutboxEntry(id, { id, domain: row.domain, token: row.token });
  },
  async perform(plan, { txtRecords }) {
    const claim = Claim.parse(plan);
    const refusal = await refusalOf(claim, txtRecords);
    return async ({ tenant, now }) => {
      if (refusal) return refusal;
      const row = await findDomain(tenant, { id: claim.id });
      return row ? shapeDomain(await markVerified(tenant, row, now)) : notFound("domain");
    };
  },
});

async function refusalOf(claim: z.output<typeof Claim>, records: TxtRecords): Promise<AppError | undefined> {
  try {
    if (await provesOwnership(claim, records)) return undefined;
  } catch (cause) {
    return new AppError("UNAVAILABLE", "No name server answered for this domain. Try again in a moment.", { cause });
  }
  return new AppError(
    "UNPROCESSABLE",
    "The TXT record is not in the DNS yet. Publish record_value at record_name; it can take an hour until it is seen.",
  );
}
