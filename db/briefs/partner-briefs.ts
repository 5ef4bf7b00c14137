import type { Instant } from "../../core/shared/time.ts";
import { enqueueBackgroundJob } from "../jobs/background-jobs.ts";
import type { BriefRow } from "./briefs.ts";
import { deleteRows, findRow, matches } from "../engine/rows.ts";
import type { Tenant } from "../engine/store.ts";

export async function findBrief({ db: { q, t }, workspaceId }: Tenant, id: string): Promise<BriefRow | undefined> {
  return findRow(q, t.briefs, { workspaceId, id });
}

export type PartnerFields = Pick<
  BriefRow,
  "partnerBriefId" | "partnerStatus" | "partnerUrl" | "partnerSyncedAt" | "partnerDueDate" | "partnerSubmittedAt"
>;

export async function storePartnerFields(
  { db: { q, t }, workspaceId }: Tenant,
  id: string,
  fields: Partial<PartnerFields> & Partial<Pick<BriefRow, "updatedAt">>,
): Promise<BriefRow | undefined> {
  const [row] = await q.update(t.briefs).set(fields).where(matches(t.briefs, { workspaceId, id })).returning();
  return row;
}

/** Polls the partner until the fields of the brief are final. */
export async function watchPartnerBrief(tenant: Tenant, watch: { briefId: string; jobId: string; at: Instant }) {
  const { db, organizationId, workspaceId } = tenant;
  const { briefId, jobId: id, at } = watch;
  await db.q
    .insert(db.t.partnerWatches)
    .values({ briefId, organizationId, workspaceId, since: at })
    .onConflictDoUpdate({ target: db.t.partnerWatches.briefId, set: { since: at } });
  await enqueueBackgroundJob(tenant, { id, kind: "sync_brief", subjectId: briefId, at });
}

export async function findPartnerWatch({ db: { q, t }, workspaceId }: Tenant, briefId: string) {
  const [row] = await q
    .select({ since: t.partnerWatches.since })
    .from(t.partnerWatches)
    .where(matches(t.partnerWatches, { workspaceId, briefId }));
  return row?.since;
}

export async function deletePartnerWatch({ db: { q, t }, workspaceId }: Tenant, briefId: string): Promise<void> {
  await deleteRows(q, t.partnerWatches, { workspaceId, briefId });
}
