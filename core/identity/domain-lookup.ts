import { addMs, type Instant, isFuture } from "../shared/time.ts";

// Rechecks of verified domains, and the consequences of a missing DNS record.

/** State of a domain: no rights, all rights, all rights with a warning, or no new rights. */
export const DOMAIN_STATES = ["unverified", "verified", "failing", "lapsed"] as const;
export type DomainStatus = (typeof DOMAIN_STATES)[number];

export interface LookupState {
  /** Time of the last response of a name server. */
  lookedUpAt: Instant | null;
  nextLookupAt: Instant | null;
  failedLookups: number;
  warnedAt: Instant | null;
}

export type LookupEvent = "warnOfDomain" | "recoverDomain" | undefined;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RECHECK_MS = 7 * DAY_MS;
export const MAX_LOOKUP_WAIT_MS = RECHECK_MS;
/** Failed lookups are a day apart, so that they fall on different days. */
const MISSING_RECHECK_MS = DAY_MS;
const TIMEOUT_RECHECK_MS = 4 * HOUR_MS;
const FAILURES_BEFORE_WARNING = 3;
const WARNING_MS = 7 * DAY_MS;

export function lapsesAt({ warnedAt }: Pick<LookupState, "warnedAt">): Instant | null {
  return warnedAt === null ? null : addMs(warnedAt, WARNING_MS);
}

/** Domains warned at or before this instant have lapsed at `now`. */
export function computeLapseThreshold(now: Instant): Instant {
  return addMs(now, -WARNING_MS);
}

export function getDomainStatus(
  row: { verifiedAt: Instant | null } & Pick<LookupState, "warnedAt">,
  now: Instant,
): DomainStatus {
  if (row.verifiedAt === null) return "unverified";
  if (row.warnedAt === null) return "verified";
  return row.warnedAt <= computeLapseThreshold(now) ? "lapsed" : "failing";
}

export function computeStateAfterSuccess(now: Instant): LookupState {
  return { lookedUpAt: now, nextLookupAt: addMs(now, RECHECK_MS), failedLookups: 0, warnedAt: null };
}

/** Next lookup after a timeout, which counts neither as success nor as failure. */
export function computeLookupAfterTimeout(row: Pick<LookupState, "warnedAt">, now: Instant): Instant {
  return limitToLapse(row, addMs(now, TIMEOUT_RECHECK_MS), now);
}

export function computeStateAfterLookup(
  row: LookupState,
  isFound: boolean,
  now: Instant,
): { lookupState: LookupState; auditEvent: LookupEvent } {
  if (isFound)
    return {
      lookupState: computeStateAfterSuccess(now),
      auditEvent: row.warnedAt === null ? undefined : "recoverDomain",
    };
  const failedLookups = row.failedLookups + 1;
  const isWarning = row.warnedAt === null && failedLookups >= FAILURES_BEFORE_WARNING;
  // A warning dated in the future, from a wrong clock, counts from now.
  const isEarly = row.warnedAt !== null && isFuture(row.warnedAt, now);
  const warnedAt = isWarning || isEarly ? now : row.warnedAt;
  const nextLookupAt = limitToLapse({ warnedAt }, addMs(now, MISSING_RECHECK_MS), now);
  return {
    lookupState: { lookedUpAt: now, nextLookupAt, failedLookups, warnedAt },
    auditEvent: isWarning ? "warnOfDomain" : undefined,
  };
}

/** Never later than the lapse, so that the audit log records it in time. */
function limitToLapse(row: Pick<LookupState, "warnedAt">, at: Instant, now: Instant): Instant {
  const end = lapsesAt(row);
  return end !== null && end > now && end < at ? end : at;
}

/** True for the first lookup after a lapse; lookups are never scheduled past it. */
export function isFirstLookupAfterLapse(row: Pick<LookupState, "warnedAt" | "nextLookupAt">, now: Instant): boolean {
  const end = lapsesAt(row);
  return end !== null && end <= now && row.nextLookupAt !== null && row.nextLookupAt <= end;
}
