import { insertAuditRows } from "../../db/identity/audit.ts";
import { withdrawBackgroundJob } from "../../db/engine/background-jobs.ts";
import { deleteErrand, findErrand, type ErrandRow } from "../../db/engine/errands.ts";
import { insertFirstAnswer } from "../../db/engine/idempotency.ts";
import { tenantStore } from "../../db/engine/tenant-store.ts";
import { endpoints } from "../../tools/index.ts";
import { contextOf } from "./context.ts";
import { AppError } from "../../core/errors.ts";
import { filterOutput } from "./filter-output.ts";
import type { Deps } from "./invoke.ts";

/** How an errand ended; `gone` where somebody else ended it meanwhile. */
export type ErrandEnd =
  | { kind: "answered"; value: unknown }
  | { kind: "refused"; refusal: AppError }
  | { kind: "gone" };

/** What this process is doing outside its store, by the errand's id. */
export type ErrandsUnderWay = Map<string, Promise<ErrandEnd>>;

/** Does an errand to its end. Whoever asks for it while it is under way in this process is given the same end. */
export function finishErrand(errand: ErrandRow, deps: Deps): Promise<ErrandEnd> {
  const underWay = deps.errands.get(errand.id);
  if (underWay) return underWay;
  const done = goAndConclude(errand, deps).finally(() => deps.errands.delete(errand.id));
  deps.errands.set(errand.id, done);
  return done;
}

/** Does an errand to its end for nobody: its process ended before it did. */
export async function finishLeftErrand(id: string, deps: Deps): Promise<void> {
  const errand = await deps.store.read((db) => findErrand(db, id));
  if (!errand) return;
  const alreadyAwaited = deps.errands.has(id);
  const end = await finishErrand(errand, deps);
  if (end.kind !== "refused" || alreadyAwaited) return;
  deps.audit.add({ ...errand.audit, id: deps.newId(), at: deps.now(), outcome: end.refusal.code });
}

async function goAndConclude(errand: ErrandRow, deps: Deps): Promise<ErrandEnd> {
  const endpoint = endpoints.find(({ name }) => name === errand.endpoint);
  if (!endpoint?.perform) throw new Error(`${errand.endpoint} does no work outside the store`);
  const { userId, organizationId, workspaceId } = errand;
  const conclude = await endpoint.perform(errand.plan, {
    errandId: errand.id,
    store: tenantStore(deps.store, { organizationId, workspaceId: workspaceId ?? "" }),
    txtRecords: deps.txtRecords,
    partner: deps.partner,
    platforms: deps.platforms,
    secrets: deps.secrets,
  });
  // What was broken off by our own stop says nothing about the outside: the next process begins anew.
  if (deps.leaving.aborted) throw new AppError("UNAVAILABLE", "The service is stopping. Send again in a moment.");
  const end = await deps.store.write(async (db): Promise<ErrandEnd> => {
    if (!(await deleteErrand(db, errand.id))) return { kind: "gone" };
    await withdrawBackgroundJob({ db, organizationId }, "finish_errand", errand.id);
    const at = deps.now();
    const granted = { userId, organizationId, workspaceId };
    const ended = await conclude(contextOf(db, granted, { caller: undefined }, deps, at));
    if (ended instanceof AppError) return { kind: "refused", refusal: ended };
    const value = await filterOutput(endpoint, ended);
    const { idempotencyKey: key, inputHash } = errand;
    if (key !== null) {
      await insertFirstAnswer(
        db,
        { userId, endpoint: endpoint.name, key },
        { inputHash, response: value, createdAt: at },
      );
    }
    await insertAuditRows(db, [{ ...errand.audit, at, outcome: "ok" }]);
    return { kind: "answered", value };
  });
  deps.wakeWorker();
  return end;
}
