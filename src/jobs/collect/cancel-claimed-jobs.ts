import { sumAnswerTotals, addFinishedJobs } from "../../../db/analyses/collect-progress.ts";
import { failQueuedJobs, type ClaimedJob } from "../../../db/jobs/collect-jobs.ts";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import type { Db } from "../../../db/engine/store.ts";
import type { Instant } from "../../../core/shared/time.ts";

const CANCELED_REASON = "The prompt was canceled before it was sent.";

/** Also cancels some hundred further jobs of the same collects. */
export async function cancelClaimedJobs(
  db: Db,
  claimed: readonly ClaimedJob[],
  { now, newId }: { now: Instant; newId: () => string },
): Promise<void> {
  // People cancel collects one by one, so the loop is short.
  for (const collectId of new Set(claimed.map((job) => job.collectId))) {
    const ids = claimed.filter((job) => job.collectId === collectId).map(({ id }) => id);
    const failed = await failQueuedJobs(db, collectId, { ids, reason: CANCELED_REASON, now });
    const collect = await addFinishedJobs(db, collectId, { succeeded: 0, failed, added: sumAnswerTotals([]) });
    if (!collect || collect.succeeded + collect.failed < collect.planned) continue;
    await enqueueBackgroundJob({ ...collect, db }, { id: newId(), kind: "end_collect", subjectId: collectId, at: now });
  }
}
