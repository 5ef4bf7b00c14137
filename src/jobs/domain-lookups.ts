import type { Logger } from "pino";
import { formatEntryText } from "../../db/audit-log/entry-text.ts";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import {
  claimDueLookups,
  hasDueLookup,
  storeLookup,
  type ClaimedLookup,
} from "../../db/identity/domains/domain-lookups.ts";
import type { Db, Store } from "../../db/engine/store.ts";
import { computeStateAfterLookup } from "../../core/identity/domain-lookup.ts";
import { hasOwnershipRecord, type TxtRecords } from "../../core/identity/domain-ownership.ts";
import type { Instant } from "../../core/shared/time.ts";
import { toAuditRow } from "../../db/audit-log/audit-event.ts";

export interface DomainLookupOptions {
  store: Store;
  log: Logger;
  now: () => Instant;
  newId: () => string;
  outside: {
    txtRecords: TxtRecords;
    closingSignal: AbortSignal;
  };
}

const INTERVAL_MS = 10 * 60_000;
const MAX_CONCURRENT = 10;

/** Several processes may run concurrently. */
export function startDomainLookups(work: DomainLookupOptions): { close: () => Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const lookUpDue = () => {
    running = running
      .then(() => lookUpDueDomains(work))
      .catch((error: unknown) => work.log.error({ err: error }, "could not look up domains"));
  };
  lookUpDue();
  const timer = setInterval(lookUpDue, INTERVAL_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Each domain is looked up by one process. */
export async function lookUpDueDomains(work: DomainLookupOptions): Promise<void> {
  const { store, now, outside } = work;
  while (!outside.closingSignal.aborted && (await store.read((db) => hasDueLookup(db, now())))) {
    const claimed = await store.write(async (db) => {
      const lookups = await claimDueLookups(db, now(), MAX_CONCURRENT);
      for (const lookup of lookups) if (lookup.hasLapsed) await recordDomainEvent(db, lookup, "lapseDomain", work);
      return lookups;
    });
    await Promise.all(claimed.map((lookup) => lookUpDomain(lookup, work)));
  }
}

async function lookUpDomain(lookup: ClaimedLookup, work: DomainLookupOptions): Promise<void> {
  const { store, log, now, outside } = work;
  const isFound = await hasOwnershipRecord(lookup.row, outside.txtRecords).catch((error: unknown) =>
    log.info({ err: error, domainId: lookup.row.id }, "no name server answered for a domain"),
  );
  if (isFound === undefined) return;
  await store.write(async (db) => {
    const { lookupState, auditEvent } = computeStateAfterLookup(lookup.row, isFound, now());
    if ((await storeLookup(db, lookup, lookupState)) && auditEvent !== undefined)
      await recordDomainEvent(db, lookup, auditEvent, work);
  });
}

const DOMAIN_TEXTS = {
  warnOfDomain: "Did not find the record of domain {domain}",
  recoverDomain: "Found the record of domain {domain} again",
  lapseDomain: "No longer counts domain {domain} as verified: its record is gone",
} as const;

async function recordDomainEvent(
  db: Db,
  { row }: ClaimedLookup,
  name: keyof typeof DOMAIN_TEXTS,
  work: DomainLookupOptions,
): Promise<void> {
  const { organizationId, domain } = row;
  const event = {
    name,
    organizationId,
    userId: null,
    door: "service",
    outcome: "ok",
    requestId: work.newId(),
    text: formatEntryText(DOMAIN_TEXTS[name], { domain }),
  } as const;
  await insertAuditRows(db, [toAuditRow(event, work)]);
}
