import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import {
  deletePartnerWatch,
  findBrief,
  findPartnerWatch,
  storePartnerFields,
} from "../../../db/briefs/partner-briefs.ts";
import { findPartnerConnection, partnerTokenLocation } from "../../../db/platforms/partner-connections.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore, type TenantStore } from "../../../db/engine/tenant-store.ts";
import { PartnerFault, type PartnerBrief } from "../../../core/platforms/partner.ts";
import { addMs, type Instant, isFuture } from "../../../core/shared/time.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";

const HOUR_MS = 3_600_000;
const MAX_UNCONFIRMED_MS = HOUR_MS;
const MAX_WATCH_MS = 60 * 24 * HOUR_MS;
export const MAX_SYNC_WAIT_MS = 6 * HOUR_MS;

/** Reads a brief back from the partner, and reschedules itself until the status is final. */
export async function syncBrief(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const { now, newId } = work;
  const { subjectId: briefId } = job;
  const store = tenantStore(work.store, job);
  const since = await store.read((tenant) => findPartnerWatch(tenant, briefId));
  if (since === undefined) return;
  const at = now();
  const found = await fetchBrief(store, briefId, work);
  await store.write(async (tenant) => {
    const isOver = await storeBriefState(tenant, briefId, { found, since, at });
    if (isOver) return deletePartnerWatch(tenant, briefId);
    const notBefore = addMs(at, waitMs(since, at, work.syncMs));
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "sync_brief", subjectId: briefId, at, notBefore });
  });
}

/** Undefined if the partner has no such brief, null if the partner is unavailable. */
async function fetchBrief(store: TenantStore, briefId: string, { outside, secrets, log }: BackgroundWork) {
  const connection = await store.read(findPartnerConnection);
  if (!outside.partner || !connection) return null;
  try {
    const token = secrets.unseal(connection.sealedToken, partnerTokenLocation(store.workspaceId));
    return await outside.partner.readBrief(token, briefId);
  } catch (error) {
    if (!(error instanceof PartnerFault)) throw error;
    log.warn({ err: error, briefId }, "could not read a brief from the partner");
    return null;
  }
}

/** Returns true if no further reading is needed. */
async function storeBriefState(
  tenant: Tenant,
  briefId: string,
  reading: { found: PartnerBrief | undefined | null; since: Instant; at: Instant },
): Promise<boolean> {
  const { found, since, at } = reading;
  const brief = await findBrief(tenant, briefId);
  const ageMs = Date.parse(at) - Date.parse(since);
  if (!brief || ageMs > MAX_WATCH_MS) return true;
  const isSent = brief.partnerSubmittedAt !== null || found?.isSubmitted === true;
  const { partnerSyncedAt } = brief;
  const isNewer = partnerSyncedAt === null || partnerSyncedAt < at || isFuture(partnerSyncedAt, at);
  if (found && isNewer && (found.isSubmitted || brief.partnerSubmittedAt === null)) {
    await storePartnerFields(tenant, briefId, {
      partnerBriefId: found.id,
      partnerStatus: found.status,
      partnerUrl: found.url,
      partnerSyncedAt: at,
      ...(found.isSubmitted
        ? {
            partnerDueDate: found.dueDate ?? brief.partnerDueDate,
            partnerSubmittedAt: brief.partnerSubmittedAt ?? at,
          }
        : {}),
    });
  }
  if (found === null) return false;
  return isSent ? found === undefined || found.isFinal : ageMs > MAX_UNCONFIRMED_MS;
}

/** Grows with age, so that an old brief costs little. */
function waitMs(since: Instant, at: Instant, shortestMs: number): number {
  const ageMs = Date.parse(at) - Date.parse(since);
  return Math.min(Math.max(ageMs / 4, shortestMs), MAX_SYNC_WAIT_MS);
}
