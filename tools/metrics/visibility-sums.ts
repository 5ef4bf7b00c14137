import type { Families } from "../../core/measuring/share-of-voice.ts";
import type { Sums } from "../../core/measuring/metrics.ts";
import { promptsIn, type PromptClusters } from "../../core/measuring/prompt-clusters.ts";
import { ofOneMethod } from "../../core/measuring/counted-together.ts";
import type { CollectionMethod } from "../../core/sources.ts";
import { openSumming, type Summing } from "../../core/measuring/sum-facts.ts";
import type { MeasuredCollect } from "../../db/measuring/search-metrics.ts";
import { idsOf } from "../search-metrics/choose-collects.ts";
import type { CountedFacts } from "../search-metrics/sum-brands.ts";
import type { ChosenSeries } from "./prompt-selection.ts";
import type { Group } from "./visibility-groups.ts";

/** Sums of a group over some collects. */
export type SumsOf = (group: Group, of: readonly MeasuredCollect[]) => Sums;

/**
 * Sums groups from packed facts. What groups of the same collects and sources are added up in is made once, however many they are, and what
 * one group was summed to serves the one whose previous collect it is.
 */
export function passesOf(
  facts: readonly CountedFacts[],
  of: {
    families: Families;
    clusters: PromptClusters;
    only: ReadonlySet<number> | undefined;
    /** Of the analysis's methods. */
    order: readonly CollectionMethod[];
  },
): SumsOf {
  const { families, clusters, only, order } = of;
  const open = new Map<string, { pass: Summing; taken: Map<readonly number[], Sums> }>();
  return ({ sources, keywords }, collects) => {
    const ids = new Set(idsOf(collects));
    const key = JSON.stringify([[...ids], sources]);
    let opened = open.get(key);
    if (!opened) {
      const isAmong = ({ collectId, source }: CountedFacts) =>
        ids.has(collectId) && (sources === null || sources.includes(source));
      const all = ofOneMethod(facts.filter(isAmong), order, ({ answers }) => answers).map((one) => one.facts);
      open.set(key, (opened = { pass: openSumming(all, families, only), taken: new Map() }));
    }
    const { pass, taken } = opened;
    const known = taken.get(keywords);
    if (known) return known;
    for (const prompt of promptsIn(keywords, clusters)) pass.add(prompt);
    const sums = pass.take();
    taken.set(keywords, sums);
    return sums;
  };
}

/** The plain sums of the collect before; of a row that is a collect, the one before that. */
export function previousOf(
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
