import type { AnalysisRow, CollectRow } from "../../db/analyses/analyses.ts";
import { enqueueCrawl } from "../../db/audits/crawls.ts";
import { cancelCollect, countJobs, listOpenCollects } from "../../db/analyses/run-control.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { releaseReserved } from "../../db/credits/credits.ts";
import type { Tenant } from "../../db/engine/store.ts";
import type { Instant } from "../../core/shared/time.ts";
import { cancelRounds } from "./rounds.ts";

interface CancelContext {
  now: Instant;
  newId: () => string;
}

export async function cancelPlanned(tenant: Tenant, analysis: AnalysisRow, by: CancelContext): Promise<void> {
  await cancelRounds(tenant, analysis, by);
  await cancelOpenCollects(tenant, analysis, by);
}

export async function cancelOpenCollects(tenant: Tenant, analysis: AnalysisRow, by: CancelContext): Promise<void> {
  for (const collect of await listOpenCollects(tenant, analysis.id)) {
    const stored = await cancelOpenQuestions(tenant, collect, by);
    if (analysis.type === "geo_audit") await enqueueCrawl(tenant, collect.id, { ...by, queuedAt: by.now });
    else if (collect.succeeded + collect.failed >= stored) await enqueueCompletion(tenant, collect.id, by);
  }
}

/** In-flight questions keep their credits until they complete. Returns how many are stored. */
async function cancelOpenQuestions(tenant: Tenant, collect: CollectRow, { now, newId }: CancelContext) {
  const { id: collectId, analysisId, number, succeeded, failed, unitCredits } = collect;
  const { stored, leased } = await countJobs(tenant, collectId);
  const reservedCredits = Math.min(collect.reservedCredits, (succeeded + leased) * unitCredits);
  await cancelCollect(tenant, collectId, { planned: stored, reservedCredits });
  const note = `Prompts of run ${number} that were canceled: ${collect.planned - succeeded - failed - leased}`;
  const cause = { id: newId(), at: now, note, workspaceId: tenant.workspaceId, analysisId, collectId };
  await releaseReserved(tenant, collect.reservedCredits - reservedCredits, cause);
  return stored;
}

async function enqueueCompletion(tenant: Tenant, subjectId: string, { now, newId }: CancelContext): Promise<void> {
  await enqueueBackgroundJob(tenant, { id: newId(), kind: "end_collect", subjectId, at: now });
}
