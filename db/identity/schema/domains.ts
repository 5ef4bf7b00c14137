import { sql } from "drizzle-orm";
import { DOMAIN_VERIFIERS } from "../../../core/identity/domain-ownership.ts";
import * as c from "../../engine/columns.ts";
import { organizations } from "./identity.ts";

/** Several organizations can claim a domain; at most one has verified it. */
export const organizationDomains = c.table(
  "organization_domains",
  {
    id: c.id("id").primaryKey(),
    organizationId: c.foreignId("organization_id", () => organizations.id),
    domain: c.string("domain").notNull(),
    token: c.string("token").notNull(),
    createdAt: c.instant("created_at").notNull(),
    verifiedAt: c.instant("verified_at"),
    /** Domains verified by the operator are not looked up again. */
    verifiedBy: c.oneOf("verified_by", DOMAIN_VERIFIERS),
    lookedUpAt: c.instant("looked_up_at"),
    nextLookupAt: c.instant("next_lookup_at"),
    /** Consecutive failures on different days; unanswered lookups do not count. */
    failedLookups: c.int("failed_lookups").notNull().default(0),
    /** Set after too many failures. After seven days the domain links no accounts. */
    warnedAt: c.instant("warned_at"),
  },
  (t) => [
    c.uniqueIndex("organization_domains_claim").on(t.organizationId, t.domain),
    c
      .uniqueIndex("organization_domains_owner")
      .on(t.domain)
      .where(sql`verified_at is not null`),
  ],
);
