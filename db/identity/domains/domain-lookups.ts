import { and, asc, gt, isNotNull, lte, or } from "drizzle-orm";
import {
  isFirstLookupAfterLapse,
  MAX_LOOKUP_WAIT_MS,
  computeLookupAfterTimeout,
  type LookupState,
} from "../../../core/identity/domain-lookup.ts";
import { type Instant, latestPlausible } from "../../../core/shared/time.ts";
import { updateRows } from "../../engine/rows.ts";
import type { Db } from "../../engine/store.ts";
import type { DomainRow } from "./domains.ts";

// Periodic DNS lookups of verified domains, across all organizations.

export interface ClaimedLookup {
  row: DomainRow;
  /** True only for the first lookup after the domain lapsed. */
  hasLapsed: boolean;
}

async function listDueDomains({ q, t }: Db, now: Instant, most: number): Promise<DomainRow[]> {
  const { verifiedAt, nextLookupAt } = t.organizationDomains;
  const isDue = or(lte(nextLookupAt, now), gt(nextLookupAt, latestPlausible(now, MAX_LOOKUP_WAIT_MS)));
  return q
    .select()
    .from(t.organizationDomains)
    .where(and(isNotNull(verifiedAt), isDue))
    .orderBy(asc(t.organizationDomains.nextLookupAt))
    .limit(most);
}

export async function hasDueLookup(db: Db, now: Instant): Promise<boolean> {
  return (await listDueDomains(db, now, 1)).length > 0;
}

/** Each lookup goes to one process. `nextLookupAt` moves to the retry time first. */
export async function claimDueLookups(db: Db, now: Instant, most: number): Promise<ClaimedLookup[]> {
  const claimed: ClaimedLookup[] = [];
  for (const row of await listDueDomains(db, now, most)) {
    const nextLookupAt = computeLookupAfterTimeout(row, now);
    if (await updateIfUnchanged(db, row, { nextLookupAt }))
      claimed.push({ row: { ...row, nextLookupAt }, hasLapsed: isFirstLookupAfterLapse(row, now) });
  }
  return claimed;
}

/** Returns false if the domain changed during the lookup. */
export async function storeLookup(db: Db, { row }: ClaimedLookup, state: LookupState): Promise<boolean> {
  return updateIfUnchanged(db, row, state);
}

async function updateIfUnchanged({ q, t }: Db, row: DomainRow, change: Partial<LookupState>): Promise<boolean> {
  if (row.nextLookupAt === null) return false;
  return updateRows(q, t.organizationDomains, { id: row.id, nextLookupAt: row.nextLookupAt }, change);
}
