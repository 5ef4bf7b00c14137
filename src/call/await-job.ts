import { setTimeout as sleep } from "node:timers/promises";
import type { Granted } from "../../auth/authorise.ts";
import type { AnyEndpoint, Queued } from "../../tools/endpoint.ts";
import { filterOutput } from "./filter-output.ts";
import type { Call, Deps } from "./invoke.ts";

/** How long a call waits for its job, and between two looks at it. */
const [MOST_WAIT_MS, FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [30_000, 10, 100];

/** What a call answers whose job is queued: the end of the job, or where that is not to be waited for, that it is queued. */
export async function awaitJob(
  endpoint: AnyEndpoint,
  queued: Queued,
  { organizationId, workspaceId }: Granted,
  call: Call,
  deps: Deps,
): Promise<unknown> {
  if (call.respondAsync || !endpoint.job) return queued;
  const { job } = endpoint;
  const tenant = { organizationId: organizationId ?? "", workspaceId: workspaceId ?? "" };
  const until = performance.now() + (job.waitMs ?? MOST_WAIT_MS);
  let pauseMs = FIRST_PAUSE_MS;
  while (performance.now() < until && !deps.outside.closing.aborted) {
    const ended: unknown = await deps.store.read((db) => job.ended(queued.body, { db, ...tenant }));
    if (ended === null) return queued;
    if (ended !== undefined) return filterOutput(endpoint, ended);
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
  return queued;
}
