import type { Db } from "../../db/engine/store.ts";
import { listPublishedSums, type MeasuredCollect } from "../../db/measuring/search-metrics.ts";
import { addSums, noSums, openSums } from "../../core/measuring/packed-sums.ts";
import type { Sums } from "../../core/measuring/metrics.ts";
import { ALL_SOURCES } from "../../core/sources.ts";
import type { BrandSelection } from "../search-metrics/sum-brands.ts";
import { classesOf } from "../search-metrics/sum-brands.ts";
import type { Group } from "./visibility-groups.ts";

/** Sums as they were shown when each collect ended. */
export async function sumPublished(
  db: Db,
  { filter, isHeadline, isSimulated }: BrandSelection,
  collects: readonly MeasuredCollect[],
): Promise<(group: Group, of: readonly MeasuredCollect[]) => Sums> {
  const classes = classesOf(filter, isHeadline);
  const stored = new Map<string, Sums[]>();
  for (const { id } of collects) {
    for (const row of await listPublishedSums(db, id)) {
      if (row.isSimulated !== (isSimulated ?? false) || !classes.includes(row.keywordClass)) continue;
      const key = `${id} ${row.source}`;
      stored.set(key, [...(stored.get(key) ?? []), openSums(row.published ?? row.sums)]);
    }
  }
  return ({ sources }, of) => {
    const [source = ALL_SOURCES, ...more] = sources ?? [];
    const [collect, ...others] = of;
    // Sums of several sources or collects share keywords, so they cannot be added.
    if (!collect || more.length + others.length > 0) return noSums();
    return addSums(stored.get(`${collect.id} ${source}`) ?? []);
  };
}
