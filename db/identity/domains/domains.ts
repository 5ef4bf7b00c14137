import { and, asc, eq, gt, isNotNull, isNull, lte, ne, or, type SQL } from "drizzle-orm";
import { AppError } from "../../../core/shared/errors.ts";
import {
  computeStateAfterSuccess,
  computeLapseThreshold,
  type DomainStatus,
} from "../../../core/identity/domain-lookup.ts";
import type { Page } from "../../../core/shared/pagination.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { tables } from "../../schema.ts";
import { greaterThan, deleteRows, findRow, insertRow, matches, updateRows } from "../../engine/rows.ts";
import type { Db, OrganizationTenant } from "../../engine/store.ts";

export type DomainRow = typeof tables.organizationDomains.$inferSelect;

export async function listDomains(
  { db: { q, t }, organizationId }: OrganizationTenant,
  { limit, after }: Page,
  only?: { status: DomainStatus; now: Instant },
): Promise<DomainRow[]> {
  return q
    .select()
    .from(t.organizationDomains)
    .where(
      and(
        matches(t.organizationDomains, { organizationId, domain: greaterThan(after?.[0]) }),
        only && domainStatusCondition(t, only.status, only.now),
      ),
    )
    .orderBy(asc(t.organizationDomains.domain))
    .limit(limit + 1);
}

export async function findDomain(
  { db: { q, t }, organizationId }: OrganizationTenant,
  key: { id: string } | { domain: string },
): Promise<DomainRow | undefined> {
  return findRow(
    q,
    t.organizationDomains,
    and(
      eq(t.organizationDomains.organizationId, organizationId),
      "id" in key ? eq(t.organizationDomains.id, key.id) : eq(t.organizationDomains.domain, key.domain),
    ),
  );
}

export async function countDomains({ db: { q, t }, organizationId }: OrganizationTenant): Promise<number> {
  return q.$count(t.organizationDomains, eq(t.organizationDomains.organizationId, organizationId));
}

export async function insertDomain(
  { db: { q, t }, organizationId }: OrganizationTenant,
  claim: Pick<DomainRow, "id" | "domain" | "token" | "createdAt">,
): Promise<DomainRow> {
  return insertRow(q, t.organizationDomains, { ...claim, organizationId });
}

/** Throws CONFLICT if the domain is verified for another organization. */
export async function markDomainVerified(
  tenant: OrganizationTenant,
  claim: DomainRow,
  { by, at }: { by: NonNullable<DomainRow["verifiedBy"]>; at: Instant },
): Promise<DomainRow> {
  const { q, t } = tenant.db;
  const owner = await findOrganizationByDomain(tenant.db, claim.domain);
  if (owner !== undefined && owner !== tenant.organizationId) {
    throw new AppError(
      "CONFLICT",
      "This domain is verified for another organization. Ask its owners to remove it there, or contact your administrator.",
    );
  }
  const lookups =
    by === "dns" ? computeStateAfterSuccess(at) : { nextLookupAt: null, failedLookups: 0, warnedAt: null };
  const change = { verifiedAt: claim.verifiedAt ?? at, verifiedBy: by, ...lookups };
  await updateRows(q, t.organizationDomains, { id: claim.id }, change);
  return { ...claim, ...change };
}

/** Ends another organization's lapsed claim and returns that organization, if any. */
export async function releaseLapsedDomain(
  { db: { q, t }, organizationId }: OrganizationTenant,
  domain: string,
  now: Instant,
): Promise<string | undefined> {
  const [released] = await q
    .update(t.organizationDomains)
    .set({
      verifiedAt: null,
      verifiedBy: null,
      lookedUpAt: null,
      nextLookupAt: null,
      failedLookups: 0,
      warnedAt: null,
    })
    .where(
      and(
        eq(t.organizationDomains.domain, domain),
        ne(t.organizationDomains.organizationId, organizationId),
        domainStatusCondition(t, "lapsed", now),
      ),
    )
    .returning({ organizationId: t.organizationDomains.organizationId });
  return released?.organizationId;
}

export async function deleteDomain({ db: { q, t }, organizationId }: OrganizationTenant, id: string): Promise<boolean> {
  return deleteRows(q, t.organizationDomains, { organizationId, id });
}

/** In lower case. For sign-in, which has no tenant yet. */
export async function listVerifiedDomains(db: Db, organizationId: string): Promise<string[]> {
  return listDomainNames(db, organizationId, isNotNull(db.t.organizationDomains.verifiedAt));
}

/** Excludes lapsed domains, which link no accounts. For sign-in, which has no tenant yet. */
export async function listLinkingDomains(db: Db, organizationId: string, now: Instant): Promise<string[]> {
  return listDomainNames(db, organizationId, canLinkAccounts(db.t, now));
}

async function listDomainNames({ q, t }: Db, organizationId: string, condition: SQL | undefined): Promise<string[]> {
  const rows = await q
    .select({ domain: t.organizationDomains.domain })
    .from(t.organizationDomains)
    .where(and(eq(t.organizationDomains.organizationId, organizationId), condition))
    .orderBy(asc(t.organizationDomains.domain));
  return rows.map(({ domain }) => domain);
}

/** Matched exactly in lower case. With `linkingAt`, only if the domain may link accounts then. */
export async function findOrganizationByDomain(
  { q, t }: Db,
  domain: string,
  { linkingAt }: { linkingAt?: Instant } = {},
): Promise<string | undefined> {
  const condition =
    linkingAt === undefined ? isNotNull(t.organizationDomains.verifiedAt) : canLinkAccounts(t, linkingAt);
  const [row] = await q
    .select({ organizationId: t.organizationDomains.organizationId })
    .from(t.organizationDomains)
    .where(and(eq(t.organizationDomains.domain, domain), condition));
  return row?.organizationId;
}

function canLinkAccounts(t: Db["t"], now: Instant): SQL | undefined {
  return or(domainStatusCondition(t, "verified", now), domainStatusCondition(t, "failing", now));
}

function domainStatusCondition(
  { organizationDomains: of }: Db["t"],
  status: DomainStatus,
  now: Instant,
): SQL | undefined {
  if (status === "unverified") return isNull(of.verifiedAt);
  const since = computeLapseThreshold(now);
  const warned = {
    verified: isNull(of.warnedAt),
    failing: gt(of.warnedAt, since),
    lapsed: lte(of.warnedAt, since),
  };
  return and(isNotNull(of.verifiedAt), warned[status]);
}
