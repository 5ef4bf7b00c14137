import { z } from "zod";
import { insertNextJobs } from "../../../db/analyses/collects.ts";
import { clearWorkerFailures } from "../../../db/jobs/background-jobs.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore } from "../../../db/engine/tenant-store.ts";
import { JOB_TARGETS } from "../../../core/sources/sources.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";

const LaunchProgressSchema = z.object({ sources: z.array(z.enum(JOB_TARGETS)), runs: z.int() });

/**
 * Stored prompts are already sent meanwhile.
 * Resumes from the number of stored prompts, so each is stored once.
 */
export async function launchCollect(job: BackgroundJob, { store, now, newId, signal }: BackgroundWork): Promise<void> {
  const asking = LaunchProgressSchema.parse(job.progress);
  const own = tenantStore(store, job);
  const storing = async (tenant: Tenant) => {
    await clearWorkerFailures(tenant.db, job);
    return insertNextJobs(tenant, job.subjectId, { ...asking, at: now(), newId });
  };
  while (await own.write(storing, { isRepeatable: true })) signal.throwIfAborted();
}
