import type { Db } from "../../db/engine/store.ts";
import { listPublishedSums, type MeasuredCollect } from "../../db/measuring/search-metrics.ts";
import { addSums, noSums, openSums } from "../../core/measuring/packed-sums.ts";
import type { Sums } from "../../core/measuring/metrics.ts";
import type { ChosenMethod } from "../../core/asked-sources.ts";
import { ofOneMethod } from "../../core/measuring/counted-together.ts";
import { ALL_SOURCES, COLLECTED } from "../../core/sources.ts";
import type { BrandSelection } from "../search-metrics/sum-brands.ts";
import { classesOf } from "../search-metrics/sum-brands.ts";
import type { Group } from "./visibility-groups.ts";

/** Sums as they were shown when each collect ended, of each source by the first method of `order` that it has. */
export async function sumPublished(
  db: Db,
  { filter, isHeadline, isSimulated }: BrandSelection,
  collects: readonly MeasuredCollect[],
  order: readonly ChosenMethod[],
): Promise<(group: Group, of: readonly MeasuredCollect[]) => Sums> {
  const classes = classesOf(filter, isHeadline);
  const stored = new Map<string, Sums[]>();
  for (const { id } of collects) {
    const rows = (await listPublishedSums(db, id)).filter(({ keywordClass }) => classes.includes(keywordClass));
    for (const row of publishedOf(rows, isSimulated ?? false, order)) {
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

type PublishedRow = Awaited<ReturnType<typeof listPublishedSums>>[number];

/** The rows of one kind, and of each source of one method. */
function publishedOf(rows: readonly PublishedRow[], ofSimulated: boolean, order: readonly ChosenMethod[]) {
  const ofAll: PublishedRow[] = [];
  const bySource = [];
  for (const row of rows) {
    const { source, method } = row;
    if ((method === "simulated") !== ofSimulated) continue;
    if (source === ALL_SOURCES || method === COLLECTED) ofAll.push(row);
    else bySource.push({ ...row, source, method });
  }
  return [...ofAll, ...ofOneMethod(bySource, order, ({ answers }) => answers)];
}
