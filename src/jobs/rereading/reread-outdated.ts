import { setTimeout as sleep } from "node:timers/promises";
import { enqueueBackgroundJob } from "../../../db/jobs/background-jobs.ts";
import { listOutdatedWorkspaces } from "../../../db/answers/readings.ts";
import { RULES_VERSION } from "../../../core/perception/read-brand-answer.ts";
import type { BackgroundWork } from "../background/background.ts";

/** Lets other writers in between the transactions, one per workspace. */
const PAUSE_MS = 5;

/** Covers metrics of older rules, such as after an upgrade. Returns the number of workspaces. */
export async function rereadOutdated({
  store,
  now,
  newId,
  signal,
}: Pick<BackgroundWork, "store" | "now" | "newId" | "signal">): Promise<number> {
  const outdated = await store.read((db) => listOutdatedWorkspaces(db, RULES_VERSION));
  for (const { organizationId, workspaceId } of outdated) {
    signal.throwIfAborted();
    const job = { id: newId(), kind: "reread_answers" as const, subjectId: workspaceId, at: now() };
    await store.write((db) => enqueueBackgroundJob({ db, organizationId, workspaceId }, job));
    await sleep(PAUSE_MS);
  }
  return outdated.length;
}
