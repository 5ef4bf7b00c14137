import { later, type Instant } from "../shared/time.ts";
import { isAhead } from "../jobs/waits.ts";

// When a domain that the DNS has verified is looked up again, and what follows from a record that is gone.

/** What a domain gives: nothing yet, everything, everything with a warning, or nothing new. */
export const DOMAIN_STATES = ["unverified", "verified", "failing", "lapsed"] as const;
export type DomainStatus = (typeof DOMAIN_STATES)[number];

/** What is kept of the look-ups of a domain. */
export interface LookupState {
  /** When a name server last answered. */
  lookedUpAt: Instant | null;
  nextLookupAt: Instant | null;
  failedLookups: number;
  warnedAt: Instant | null;
}

/** What an answer of the DNS means to the owners, for their audit log. */
export type LookupEvent = "warnOfDomain" | "recoverDomain" | undefined;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FOUND_MS = 7 * DAY_MS;
export const LONGEST_LOOKUP_WAIT_MS = FOUND_MS;
/** Failed look-ups are a day apart, so that they are on different days. */
const MISSING_MS = DAY_MS;
const UNANSWERED_MS = 4 * HOUR_MS;
const FAILURES_BEFORE_WARNING = 3;
const WARNING_MS = 7 * DAY_MS;

/** When a domain of which owners are warned gives nothing new any more. */
export function lapsesAt({ warnedAt }: Pick<LookupState, "warnedAt">): Instant | null {
  return warnedAt === null ? null : later(warnedAt, WARNING_MS);
}

/** Domains whose owners were warned by then have lapsed at `now`. */
export function lapsedIfWarnedBy(now: Instant): Instant {
  return later(now, -WARNING_MS);
}

/** What a domain gives at `now`. */
export function statusOfDomain(
  row: { verifiedAt: Instant | null } & Pick<LookupState, "warnedAt">,
  now: Instant,
): DomainStatus {
  if (row.verifiedAt === null) return "unverified";
  if (row.warnedAt === null) return "verified";
  return row.warnedAt <= lapsedIfWarnedBy(now) ? "lapsed" : "failing";
}

/** The look-ups of a domain whose record was found at `now`. */
export function found(now: Instant): LookupState {
  return { lookedUpAt: now, nextLookupAt: later(now, FOUND_MS), failedLookups: 0, warnedAt: null };
}

/** When a domain is looked up again if no name server answers. It counts as nothing. */
export function nextIfUnanswered(row: Pick<LookupState, "warnedAt">, now: Instant): Instant {
  return notPastLapse(row, later(now, UNANSWERED_MS), now);
}

/** The look-ups of a domain after an answer at `now`, and what there is to tell. */
export function afterAnswer(
  row: LookupState,
  isFound: boolean,
  now: Instant,
): { state: LookupState; event: LookupEvent } {
  if (isFound) return { state: found(now), event: row.warnedAt === null ? undefined : "recoverDomain" };
  const failedLookups = row.failedLookups + 1;
  const isWarning = row.warnedAt === null && failedLookups >= FAILURES_BEFORE_WARNING;
  // A warning of a clock that was ahead counts from now on.
  const isEarly = row.warnedAt !== null && isAhead(row.warnedAt, now);
  const warnedAt = isWarning || isEarly ? now : row.warnedAt;
  const nextLookupAt = notPastLapse({ warnedAt }, later(now, MISSING_MS), now);
  return {
    state: { lookedUpAt: now, nextLookupAt, failedLookups, warnedAt },
    event: isWarning ? "warnOfDomain" : undefined,
  };
}

/** The domain is looked at when it lapses, so that the audit log has it. */
function notPastLapse(row: Pick<LookupState, "warnedAt">, at: Instant, now: Instant): Instant {
  const end = lapsesAt(row);
  return end !== null && end > now && end < at ? end : at;
}

/** True for the first look-up since the domain lapsed: none is planned past the instant at which it does. */
export function lapsesWith(row: Pick<LookupState, "warnedAt" | "nextLookupAt">, now: Instant): boolean {
  const end = lapsesAt(row);
  return end !== null && end <= now && row.nextLookupAt !== null && row.nextLookupAt <= end;
}
