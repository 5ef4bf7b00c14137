import { z } from "zod";
import { toAuditRow } from "../../db/audit-log/audit-event.ts";
import { formatEntryText } from "../../db/audit-log/entry-text.ts";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import { findDomain, markDomainVerified, releaseLapsedDomain } from "../../db/identity/domains/domains.ts";
import { getDomainStatus } from "../../core/identity/domain-lookup.ts";
import { hasOwnershipRecord, type TxtRecords } from "../../core/identity/domain-ownership.ts";
import { AppError, requireFound, notFound } from "../../core/shared/errors.ts";
import { endpoint, OutboxEntry, type Context } from "../endpoint.ts";
import { domainPath, OrganizationDomain, shapeDomain } from "./organization-domain.ts";

const DomainClaimSchema = z.object({ id: z.string(), domain: z.string(), token: z.string() });

export const verifyOrganizationDomain = endpoint({
  name: "verifyOrganizationDomain",
  method: "POST",
  path: "/v1/organizations/:organization_id/domains/:domain_id/verify",
  group: "SSO",
  summary: "Verify an organization's domain",
  logged: "Verified domain {domain_id}",
  description: "Looks up the TXT record in the DNS now. Call this after the record was published or restored.",
  access: { organization: "owner" },
  recentSignIn: true,
  notATool: "account administration",
  input: z.strictObject(domainPath),
  output: OrganizationDomain,
  errors: ["CONFLICT", "UNPROCESSABLE"],
  async handle({ domain_id: id }, { tenant, now }) {
    const row = requireFound(await findDomain(tenant, { id }), "domain");
    if (getDomainStatus(row, now) === "verified") return shapeDomain(row, now);
    return new OutboxEntry(id, { id, domain: row.domain, token: row.token });
  },
  async perform(plan, { txtRecords }) {
    const claim = DomainClaimSchema.parse(plan);
    const refusal = await findOwnershipError(claim, txtRecords);
    return async (context) => refusal ?? concludeVerification(claim.id, context);
  },
});

/** Releases an expired claim of another organization first. */
async function concludeVerification(id: string, { tenant, now, newId }: Context) {
  const claim = await findDomain(tenant, { id });
  if (!claim) return notFound("domain");
  const loser = await releaseLapsedDomain(tenant, claim.domain, now);
  if (loser !== undefined) {
    const event = { name: "loseDomain", organizationId: loser, userId: null, door: "service", outcome: "ok" } as const;
    const text = formatEntryText("Lost domain {domain} to another organization", { domain: claim.domain });
    const row = toAuditRow({ ...event, text, requestId: newId() }, { now: () => now, newId });
    await insertAuditRows(tenant.db, [row]);
  }
  return shapeDomain(await markDomainVerified(tenant, claim, { by: "dns", at: now }), now);
}

async function findOwnershipError(
  claim: z.output<typeof DomainClaimSchema>,
  records: TxtRecords,
): Promise<AppError | undefined> {
  try {
    if (await hasOwnershipRecord(claim, records)) return undefined;
  } catch (cause) {
    return new AppError("UNAVAILABLE", "No name server answered for this domain. Try again in a moment.", { cause });
  }
  return new AppError(
    "UNPROCESSABLE",
    "The TXT record is not in the DNS yet. Add the record with the name and value shown for the domain. A new record can take an hour to appear.",
  );
}
