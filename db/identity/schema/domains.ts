import { sql } from "drizzle-orm";
import { DOMAIN_VERIFIERS } from "../../../core/identity/domain-ownership.ts";
import { id, idOf, instant, int, oneOf, string, table, uniqueIndex } from "../../engine/columns.ts";
import { organizations } from "./identity.ts";

/** Domains that an organization says are its own. Any number may say so of one; at most one has shown it. */
export const organizationDomains = table(
  "organization_domains",
  {
    id: id("id").primaryKey(),
    organizationId: idOf("organization_id", () => organizations.id),
    domain: string("domain").notNull(),
    /** What the DNS has to repeat. */
    token: string("token").notNull(),
    createdAt: instant("created_at").notNull(),
    verifiedAt: instant("verified_at"),
    /** By a DNS record, or by hand of the operator, which is not looked up again. */
    verifiedBy: oneOf("verified_by", DOMAIN_VERIFIERS),
    lookedUpAt: instant("looked_up_at"),
    nextLookupAt: instant("next_lookup_at"),
    /** Look-ups in a row, on different days, that found no record. One that got no answer does not count. */
    failedLookups: int("failed_lookups").notNull().default(0),
    /** Set once too many failed. Seven days later the domain gives no new links and accounts. */
    warnedAt: instant("warned_at"),
  },
  (t) => [
    uniqueIndex("organization_domains_claim").on(t.organizationId, t.domain),
    uniqueIndex("organization_domains_owner")
      .on(t.domain)
      .where(sql`verified_at is not null`),
  ],
);
