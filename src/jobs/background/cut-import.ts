import { findCollect } from "../../../db/measuring/analyses.ts";
import { endPeriod, listParts, moveToPart } from "../../../db/measuring/import-parts.ts";
import type { TenantStore } from "../../../db/engine/tenant-store.ts";
import { laterMonths } from "../../../core/months.ts";
import type { BackgroundWork } from "./background.ts";

/** Answers that one transaction moves. */
const ANSWERS_AT_ONCE = 200;

/**
 * Cuts an import by month where its answers were collected over more than 31 days: each month is a collect, so that it can be compared with
 * the one before. The first month stays. Gives the ids of the others, whose ends are to come. Done again after a crash, it goes on.
 */
export async function cutByMonth(
  of: { analysisId: string; collectId: string },
  { store, work }: { store: TenantStore; work: BackgroundWork },
): Promise<string[]> {
  const collect = await store.read((tenant) => findCollect(tenant, of));
  if (!collect || collect.finishedAt !== null || collect.collectedFrom === null || collect.collectedTo === null)
    return [];
  const { now: clock, newId } = work;
  const months = laterMonths(collect.collectedFrom, collect.collectedTo);
  for (const month of months) {
    for (let isMore = true; isMore;) {
      work.signal.throwIfAborted();
      const moving = { month, limit: ANSWERS_AT_ONCE, at: clock(), newId };
      isMore = await store.write((tenant) => moveToPart(tenant, collect, moving), { isRepeatable: true });
    }
  }
  if (months.length > 0) await store.write((tenant) => endPeriod(tenant, collect.id));
  const parts = await store.read((tenant) => listParts(tenant, collect.id));
  return parts.filter(({ finishedAt }) => finishedAt === null).map(({ id }) => id);
}
