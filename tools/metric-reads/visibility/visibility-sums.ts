import type { Db } from "../../../db/engine/store.ts";
import { listPublishedSums, type MeasuredCollect } from "../../../db/metrics/search-metrics.ts";
import { addSums, createSums, unpackSums } from "../../../core/metrics/packed-sums.ts";
import type { Sums } from "../../../core/metrics/metrics.ts";
import { type ChosenMethod, ALL_SOURCES, COLLECTED, type CollectionMethod } from "../../../core/sources/sources.ts";
import { selectOneMethod } from "../../../core/metrics/select-counted-parts.ts";
import { type BrandSelection, listKeywordClasses, type CountedFacts } from "../selection/sum-brands.ts";
import type { Group } from "./visibility-groups.ts";
import type { Families } from "../../../core/metrics/share-of-voice.ts";
import { groupPositionsByPrompt, type PromptClusters } from "../../../core/metrics/prompt-clusters.ts";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { createFactSummer, type FactSummer } from "../../../core/metrics/facts/sum-facts.ts";
import { listIds } from "../selection/choose-collects.ts";
import type { ChosenSeries } from "../selection/prompt-selection.ts";

export type SumsOf = (group: Group, of: readonly MeasuredCollect[]) => Sums;

/** Groups with the same collects and sources share their accumulators. */
export function openFactSums(
  facts: readonly CountedFacts[],
  options: {
    families: Families;
    clusters: PromptClusters;
    only: ReadonlySet<number> | undefined;
    order: readonly CollectionMethod[];
  },
): SumsOf {
  const { families, clusters, only, order } = options;
  const open = new Map<string, { factSummer: FactSummer; taken: Map<readonly number[], Sums> }>();
  return ({ sources, keywords }, collects) => {
    const key = JSON.stringify([listIds(collects), sources]);
    let opened = open.get(key);
    if (!opened) {
      const all = selectGroupFacts(facts, { sources }, collects, order);
      open.set(key, (opened = { factSummer: createFactSummer(all, families, only), taken: new Map() }));
    }
    const { factSummer, taken } = opened;
    const known = taken.get(keywords);
    if (known) return known;
    for (const prompt of groupPositionsByPrompt(keywords, clusters)) factSummer.add(prompt);
    const sums = factSummer.takeTotals();
    taken.set(keywords, sums);
    return sums;
  };
}

/** Facts of a group in some collects, of one method per source. */
export function selectGroupFacts(
  facts: readonly CountedFacts[],
  { sources }: Pick<Group, "sources">,
  collects: readonly MeasuredCollect[],
  order: readonly CollectionMethod[],
): CollectFacts[] {
  const ids = new Set(listIds(collects));
  const isAmong = ({ collectId, source }: CountedFacts) =>
    ids.has(collectId) && (sources === null || sources.includes(source));
  return selectOneMethod(facts.filter(isAmong), order, ({ answers }) => answers).map((one) => one.facts);
}

/** Sums of the previous collect; for a row that is a collect, of the one before it. */
export function sumPrevious(
  group: Group,
  { series, previous, current }: ChosenSeries,
  sumOf: (of: readonly MeasuredCollect[]) => Sums,
) {
  const [own] = group.collects;
  const isOne = group.names.collect !== undefined && own !== undefined;
  const before = isOne ? series[series.findIndex(({ id }) => id === own.id) - 1] : undefined;
  const of = isOne ? (before ? [before] : []) : previous;
  return of.length === 0 || current.length === 0 ? undefined : sumOf(of);
}

export async function sumPublished(
  db: Db,
  { filter, isHeadline, isSimulated }: BrandSelection,
  collects: readonly MeasuredCollect[],
  order: readonly ChosenMethod[],
): Promise<(group: Group, of: readonly MeasuredCollect[]) => Sums> {
  const classes = listKeywordClasses(filter, isHeadline);
  const stored = new Map<string, Sums[]>();
  for (const { id } of collects) {
    const rows = (await listPublishedSums(db, id)).filter(({ keywordClass }) => classes.includes(keywordClass));
    for (const row of selectSumsByMethod(rows, isSimulated ?? false, order)) {
      const key = `${id} ${row.source}`;
      stored.set(key, [...(stored.get(key) ?? []), unpackSums(row.published ?? row.sums)]);
    }
  }
  return ({ sources }, of) => {
    const [source = ALL_SOURCES, ...more] = sources ?? [];
    const [collect, ...others] = of;
    // Sums of several sources or collects share keywords, so they cannot be added.
    if (!collect || more.length + others.length > 0) return createSums();
    return addSums(stored.get(`${collect.id} ${source}`) ?? []);
  };
}

type PublishedRow = Awaited<ReturnType<typeof listPublishedSums>>[number];

function selectSumsByMethod(rows: readonly PublishedRow[], ofSimulated: boolean, order: readonly ChosenMethod[]) {
  const ofAll: PublishedRow[] = [];
  const bySource = [];
  for (const row of rows) {
    const { source, method } = row;
    if ((method === "simulated") !== ofSimulated) continue;
    if (source === ALL_SOURCES || method === COLLECTED) ofAll.push(row);
    else bySource.push({ ...row, source, method });
  }
  return [...ofAll, ...selectOneMethod(bySource, order, ({ answers }) => answers)];
}
