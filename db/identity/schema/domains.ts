import { sql } from "drizzle-orm";
import { id, instant, string, table, uniqueIndex } from "../../engine/columns.ts";
import { organizations } from "./identity.ts";

/** Domains that an organization says are its own. Any number may say so of one; at most one has shown it. */
export const organizationDomains = table(
  "organization_domains",
  {
    id: id("id").primaryKey(),
    organizationId: id("organization_id")
      .notNull()
      .references(() => organizations.id),
    /** Lower case. */
    domain: string("domain").notNull(),
    /** What the DNS has to repeat. */
    token: string("token").notNull(),
    createdAt: instant("created_at").notNull(),
    verifiedAt: instant("verified_at"),
  },
  (t) => [
    uniqueIndex("organization_domains_claim").on(t.organizationId, t.domain),
    uniqueIndex("organization_domains_owner")
      .on(t.domain)
      .where(sql`verified_at is not null`),
  ],
);
