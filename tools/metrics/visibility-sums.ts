import type { CollectFacts } from "../../core/measuring/collect-facts.ts";
import { openCounting } from "../../core/measuring/count-facts.ts";
import type { Counts, Sums } from "../../core/measuring/metrics.ts";
import { promptsIn, type Prompt, type PromptClusters } from "../../core/measuring/prompt-clusters.ts";
import { ofOneMethod } from "../../core/measuring/counted-together.ts";
import type { CollectionMethod } from "../../core/sources.ts";
import { openSumming } from "../../core/measuring/sum-facts.ts";
import type { MeasuredCollect } from "../../db/measuring/search-metrics.ts";
import { idsOf } from "../search-metrics/choose-collects.ts";
import type { CountedFacts } from "../search-metrics/sum-brands.ts";
import type { VisibilityInput } from "./visibility-request.ts";
import type { ChosenSeries } from "./prompt-selection.ts";
import type { Group } from "./visibility-groups.ts";

/** Sums of a group over some collects; its counts where no intervals are asked for. */
export type SumsOf = (group: Group, of: readonly MeasuredCollect[]) => Counts | Sums;

/**
 * Sums groups from packed facts. What groups of the same collects and sources are added up in is made once, however many they are, and what
 * one group was summed to serves the one whose previous collect it is.
 */
export function passesOf(
  facts: readonly CountedFacts[],
  of: {
    families: Uint8Array;
    clusters: PromptClusters;
    only: ReadonlySet<number> | undefined;
    input: VisibilityInput;
    /** Of the analysis's methods. */
    order: readonly CollectionMethod[];
  },
): SumsOf {
  const { families, clusters, only, input, order } = of;
  const begin = input.statistics ? openSummingAll : openCountingAll;
  const open = new Map<string, { pass: ReturnType<typeof begin>; taken: Map<readonly number[], Counts> }>();
  return ({ sources, keywords }, collects) => {
    const ids = new Set(idsOf(collects));
    const key = JSON.stringify([[...ids], sources]);
    let opened = open.get(key);
    if (!opened) {
      const isAmong = ({ collectId, source }: CountedFacts) =>
        ids.has(collectId) && (sources === null || sources.includes(source));
      const all = ofOneMethod(facts.filter(isAmong), order, ({ answers }) => answers).map((one) => one.facts);
      open.set(key, (opened = { pass: begin(all, families, only), taken: new Map() }));
    }
    const { pass, taken } = opened;
    const known = taken.get(keywords);
    if (known) return known;
    pass.add(promptsIn(keywords, clusters));
    const sums = pass.take();
    taken.set(keywords, sums);
    return sums;
  };
}

type Only = ReadonlySet<number> | undefined;

function openCountingAll(all: readonly CollectFacts[], families: Uint8Array, only: Only) {
  const { add, take } = openCounting(all, families);
  return { add, take: (): Counts => take(only) };
}

function openSummingAll(...of: Parameters<typeof openSumming>) {
  const { add, take } = openSumming(...of);
  return { add: (prompts: readonly Prompt[]) => prompts.forEach(add), take };
}

/** The plain sums of the collect before; of a row that is a collect, the one before that. */
export function previousOf(
  group: Group,
  { series, previous, current }: ChosenSeries,
  sumOf: (of: readonly MeasuredCollect[]) => Counts,
) {
  const [own] = group.collects;
  const isOne = group.names.collect !== undefined && own !== undefined;
  const before = isOne ? series[series.findIndex(({ id }) => id === own.id) - 1] : undefined;
  const of = isOne ? (before ? [before] : []) : previous;
  return of.length === 0 || current.length === 0 ? undefined : sumOf(of);
}
