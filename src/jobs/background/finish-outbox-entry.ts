import type { BackgroundJob, BackgroundWork } from "./background.ts";

/** Ends work outside the store that its process left behind. Nothing where it has ended, which is the rule. */
export async function finishOutboxEntry(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  await work.finishOutboxEntry(job.subjectId);
}
