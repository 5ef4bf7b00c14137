import { and, asc, gt, isNotNull, lte, or } from "drizzle-orm";
import {
  lapsesWith,
  LONGEST_LOOKUP_WAIT_MS,
  nextIfUnanswered,
  type LookupState,
} from "../../../core/identity/domain-lookup.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { furthest } from "../../../core/jobs/waits.ts";
import { updateRows } from "../../engine/rows.ts";
import type { Db } from "../../engine/store.ts";
import type { DomainRow } from "./domains.ts";

// Look-ups of verified domains, of every organization: no person asks for them.

/** A domain that one process has taken to look up. */
export interface ClaimedLookup {
  /** As it is stored now: `nextLookupAt` is when it is looked up again if no name server answers. */
  row: DomainRow;
  /** True once: this is the first look-up since the domain lapsed. */
  hasLapsed: boolean;
}

async function dueDomains({ q, t }: Db, now: Instant, most: number): Promise<DomainRow[]> {
  const { verifiedAt, nextLookupAt } = t.organizationDomains;
  const isDue = or(lte(nextLookupAt, now), gt(nextLookupAt, furthest(now, LONGEST_LOOKUP_WAIT_MS)));
  return q
    .select()
    .from(t.organizationDomains)
    .where(and(isNotNull(verifiedAt), isDue))
    .orderBy(asc(t.organizationDomains.nextLookupAt))
    .limit(most);
}

/** True where a look-up is due. */
export async function hasDueLookup(db: Db, now: Instant): Promise<boolean> {
  return (await dueDomains(db, now, 1)).length > 0;
}

/**
 * Takes domains whose look-up is due, at most `most`. Each goes to one process: the next look-up moves to where it stays
 * if no name server answers or the process ends.
 */
export async function claimDueLookups(db: Db, now: Instant, most: number): Promise<ClaimedLookup[]> {
  const claimed: ClaimedLookup[] = [];
  for (const row of await dueDomains(db, now, most)) {
    const nextLookupAt = nextIfUnanswered(row, now);
    if (await updateIfUntouched(db, row, { nextLookupAt }))
      claimed.push({ row: { ...row, nextLookupAt }, hasLapsed: lapsesWith(row, now) });
  }
  return claimed;
}

/** Stores what a look-up found. False if the domain was verified again, removed or lost while the DNS was asked. */
export async function storeLookup(db: Db, { row }: ClaimedLookup, state: LookupState): Promise<boolean> {
  return updateIfUntouched(db, row, state);
}

async function updateIfUntouched({ q, t }: Db, row: DomainRow, change: Partial<LookupState>): Promise<boolean> {
  if (row.nextLookupAt === null) return false;
  return updateRows(q, t.organizationDomains, { id: row.id, nextLookupAt: row.nextLookupAt }, change);
}
