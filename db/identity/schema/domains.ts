import { sql } from "drizzle-orm";
import { DOMAIN_VERIFIERS } from "../../../core/identity/domain-ownership.ts";
import { id, foreignId, instant, int, oneOf, string, table, uniqueIndex } from "../../engine/columns.ts";
import { organizations } from "./identity.ts";

/** Domains claimed by organizations. Several can claim a domain; at most one has verified it. */
export const organizationDomains = table(
  "organization_domains",
  {
    id: id("id").primaryKey(),
    organizationId: foreignId("organization_id", () => organizations.id),
    domain: string("domain").notNull(),
    token: string("token").notNull(),
    createdAt: instant("created_at").notNull(),
    verifiedAt: instant("verified_at"),
    /** Domains verified by the operator are not looked up again. */
    verifiedBy: oneOf("verified_by", DOMAIN_VERIFIERS),
    lookedUpAt: instant("looked_up_at"),
    nextLookupAt: instant("next_lookup_at"),
    /** Consecutive failures on different days; unanswered lookups do not count. */
    failedLookups: int("failed_lookups").notNull().default(0),
    /** Set after too many failures. After seven days the domain links no accounts. */
    warnedAt: instant("warned_at"),
  },
  (t) => [
    uniqueIndex("organization_domains_claim").on(t.organizationId, t.domain),
    uniqueIndex("organization_domains_owner")
      .on(t.domain)
      .where(sql`verified_at is not null`),
  ],
);
