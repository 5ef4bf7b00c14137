import { AppError } from "../../core/shared/errors.ts";
import { withdrawBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { insertIdempotentResponse } from "../../db/engine/idempotency.ts";
import { deleteOutboxEntry, findOutboxEntry, type OutboxRow } from "../../db/engine/outbox.ts";
import { tenantStore } from "../../db/engine/tenant-store.ts";
import { insertAuditRows } from "../../db/audit-log/audit.ts";
import { endpoints } from "../../tools/index.ts";
import { createContext } from "./admit.ts";
import type { Deps, OutboxOutcome } from "./deps.ts";
import { filterOutput } from "./output.ts";

/** Concurrent callers in this process share one run and its result. */
export function finishOutboxEntry(entry: OutboxRow, deps: Deps): Promise<OutboxOutcome> {
  const inProgress = deps.outbox.get(entry.id);
  if (inProgress) return inProgress;
  const completion = performAndConclude(entry, deps).finally(() => deps.outbox.delete(entry.id));
  deps.outbox.set(entry.id, completion);
  return completion;
}

export async function finishAbandonedOutboxEntry(id: string, deps: Deps): Promise<void> {
  const entry = await deps.store.read((db) => findOutboxEntry(db, id));
  if (!entry) return;
  const alreadyAwaited = deps.outbox.has(id);
  const end = await finishOutboxEntry(entry, deps);
  if (end.kind !== "refused" || alreadyAwaited) return;
  deps.audit.add({ ...entry.audit, id: deps.newId(), at: deps.now(), outcome: end.error.code });
}

async function performAndConclude(entry: OutboxRow, deps: Deps): Promise<OutboxOutcome> {
  const endpoint = endpoints.find(({ name }) => name === entry.endpoint);
  if (!endpoint?.perform) throw new Error(`${entry.endpoint} declares no work outside the store`);
  const { userId, organizationId, workspaceId } = entry;
  const performing = endpoint.perform(entry.plan, {
    entryId: entry.id,
    store: tenantStore(deps.store, { organizationId, workspaceId: workspaceId ?? "" }),
    secrets: deps.secrets,
    ...deps.outside,
  });
  const conclude = await performing.finally(() => {
    // Our shutdown interrupted the work, so its result is unknown; the next process repeats it.
    if (deps.outside.closingSignal.aborted)
      throw new AppError("UNAVAILABLE", "The service is stopping. Send the request again in a moment.");
  });
  const end = await deps.store.write(async (db): Promise<OutboxOutcome> => {
    if (!(await deleteOutboxEntry(db, entry.id))) return { kind: "gone" };
    await withdrawBackgroundJob({ db, organizationId }, "finish_outbox_entry", entry.id);
    const at = deps.now();
    const granted = { userId, organizationId, workspaceId };
    const ended = await conclude(createContext(db, granted, { caller: undefined }, deps, at));
    if (ended instanceof AppError) return { kind: "refused", error: ended };
    const value = await filterOutput(endpoint, ended);
    const { idempotencyKey: key, inputHash } = entry;
    if (key !== null) {
      await insertIdempotentResponse(
        db,
        { userId, endpoint: endpoint.name, key },
        { inputHash, response: value, createdAt: at },
      );
    }
    await insertAuditRows(db, [{ ...entry.audit, at, outcome: "ok" }]);
    return { kind: "answered", value };
  });
  deps.wakeWorker();
  return end;
}
