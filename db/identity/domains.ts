import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import { AppError } from "../../core/errors.ts";
import type { Page } from "../../core/page.ts";
import type { Instant } from "../../core/time.ts";
import type { tables } from "../schema.ts";
import type { Db, OrganizationTenant } from "../engine/store.ts";

export type DomainRow = typeof tables.organizationDomains.$inferSelect;

/** Domains of the organization, in alphabetical order. */
export async function listDomains(
  { db: { q, t }, organizationId }: OrganizationTenant,
  { limit, after }: Page,
): Promise<DomainRow[]> {
  return q
    .select()
    .from(t.organizationDomains)
    .where(
      and(
        eq(t.organizationDomains.organizationId, organizationId),
        after?.[0] === undefined ? undefined : gt(t.organizationDomains.domain, after[0]),
      ),
    )
    .orderBy(asc(t.organizationDomains.domain))
    .limit(limit + 1);
}

export async function findDomain(
  { db: { q, t }, organizationId }: OrganizationTenant,
  which: { id: string } | { domain: string },
): Promise<DomainRow | undefined> {
  const [row] = await q
    .select()
    .from(t.organizationDomains)
    .where(
      and(
        eq(t.organizationDomains.organizationId, organizationId),
        "id" in which ? eq(t.organizationDomains.id, which.id) : eq(t.organizationDomains.domain, which.domain),
      ),
    );
  return row;
}

export async function countDomains({ db: { q, t }, organizationId }: OrganizationTenant): Promise<number> {
  return q.$count(t.organizationDomains, eq(t.organizationDomains.organizationId, organizationId));
}

export async function insertDomain(
  { db: { q, t }, organizationId }: OrganizationTenant,
  claim: Pick<DomainRow, "id" | "domain" | "token" | "createdAt">,
): Promise<DomainRow> {
  const [row] = await q
    .insert(t.organizationDomains)
    .values({ ...claim, organizationId })
    .returning();
  if (!row) throw new Error("The domain was not stored.");
  return row;
}

/** CONFLICT if another organization has shown that the domain is its own. */
export async function markVerified(tenant: OrganizationTenant, claim: DomainRow, at: Instant): Promise<DomainRow> {
  const { q, t } = tenant.db;
  const owner = await organizationOfDomain(tenant.db, claim.domain);
  if (owner !== undefined && owner !== tenant.organizationId) {
    throw new AppError(
      "CONFLICT",
      "This domain is verified for another organization. Ask its owners to remove it there, or contact your administrator.",
    );
  }
  await q.update(t.organizationDomains).set({ verifiedAt: at }).where(eq(t.organizationDomains.id, claim.id));
  return { ...claim, verifiedAt: at };
}

/** False if the organization has no such domain. */
export async function deleteDomain({ db: { q, t }, organizationId }: OrganizationTenant, id: string): Promise<boolean> {
  const gone = await q
    .delete(t.organizationDomains)
    .where(and(eq(t.organizationDomains.organizationId, organizationId), eq(t.organizationDomains.id, id)))
    .returning({ id: t.organizationDomains.id });
  return gone.length > 0;
}

/** The domains, lower case, that are shown to be this organization's. By its id, for sign-in, which has no caller yet. */
export async function verifiedDomains({ q, t }: Db, organizationId: string): Promise<string[]> {
  const rows = await q
    .select({ domain: t.organizationDomains.domain })
    .from(t.organizationDomains)
    .where(and(eq(t.organizationDomains.organizationId, organizationId), isNotNull(t.organizationDomains.verifiedAt)))
    .orderBy(asc(t.organizationDomains.domain));
  return rows.map(({ domain }) => domain);
}

/** The organization that has shown that exactly this domain, lower case, is its own. For sign-in, as above. */
export async function organizationOfDomain({ q, t }: Db, domain: string): Promise<string | undefined> {
  const [row] = await q
    .select({ organizationId: t.organizationDomains.organizationId })
    .from(t.organizationDomains)
    .where(and(eq(t.organizationDomains.domain, domain), isNotNull(t.organizationDomains.verifiedAt)));
  return row?.organizationId;
}
