import type { CollectPerception } from "../../../core/metrics/facts/collect-perception.ts";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { sumGaps } from "../../../core/metrics/brand-gaps.ts";
import {
  SCORE_AGAINST,
  SCORE_FAMILIES,
  SCORE_FOR,
  buildScoredFacts,
  computeScoreMoments,
  iterateValues,
  type ScoredAnswer,
} from "../../../core/metrics/facts/scored-facts.ts";
import type { PairMoments } from "../../../core/statistics/difference.ts";
import { estimateShare, type Estimate, type Moments } from "../../../core/statistics/interval.ts";
import { NO_CACHE } from "../../../db/engine/sqlite/read-cache.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { listPerceptionFacts } from "../../../db/metrics/perception-facts.ts";
import { listIds } from "../selection/choose-collects.ts";
import type { ChangeRow } from "../../../core/metrics/changes/change-row.ts";
import { hashKey, listCounted, groupKeyPart, type OpenedPrompts, type Opinions } from "../selection/open-prompts.ts";
import { judgePartChanges } from "../selection/prompt-changes.ts";
import { selectSlices, sliceFacts, type PromptGroup, type PromptSlice } from "../selection/prompt-groups.ts";

// Results are cached by `metricKey`, which must name everything `scored` depends on.

export interface ScoredPart {
  group: PromptGroup;
  metricKey: string;
  /** At most one entry per question and run, in any order. */
  scored: (said: CollectPerception) => Iterable<ScoredAnswer>;
  /** Indexes of prompts in the selection. */
  prompts: readonly number[];
  /** True if the change is a separate test: the own brand as a whole. */
  isAlone: boolean;
}

export interface ScoredShare extends Estimate {
  n: number;
  promptCount: number;
  scoreSum: number;
  moments: Moments;
  /** Share minus the rest, by prompt; undefined unless requested. */
  gap?: PairMoments | undefined;
  places: number;
  values: { whole: number; none: number; part: number };
  /** Null if not judged. */
  change: ChangeRow | null;
}

export async function readOpinions({ db }: Tenant, opened: OpenedPrompts): Promise<Opinions[]> {
  return listCounted(opened, (collectId) => listPerceptionFacts(db, collectId, null));
}

export interface ScoredWith {
  opened: OpenedPrompts;
  opinions: readonly Opinions[];
  /** Factor from the share to the displayed value, for changes; 1 by default, null judges none. */
  scale?: number | null;
  /** True to sum the gap between the share and the rest. */
  sumsGaps?: boolean;
}

export async function scoreParts(
  tenant: Tenant,
  parts: readonly ScoredPart[],
  options: ScoredWith,
): Promise<readonly ScoredShare[]> {
  return tenant.db.cache.get(`shares ${buildPartsKey(parts, options)}`, async () => {
    const value = await scoreEach(parts, options);
    return { value, bytes: value.length * BYTES_PER_SHARE };
  });
}
const BYTES_PER_SHARE = 1000;

function buildPartsKey(parts: readonly ScoredPart[], { opened, opinions, scale = 1, sumsGaps }: ScoredWith): string {
  const lists = new Map(parts.map(({ prompts }, at) => [prompts, at]));
  return hashKey([
    [opened.key, scale, sumsGaps === true],
    opinions.map(({ collectId, source, digest }) => [collectId, source, digest]),
    [...lists.keys()],
    parts.map(({ group, metricKey, isAlone, prompts }) => [
      groupKeyPart(group),
      metricKey,
      isAlone,
      lists.get(prompts),
    ]),
  ]);
}

async function scoreEach(parts: readonly ScoredPart[], { opened, opinions, scale = 1, sumsGaps = false }: ScoredWith) {
  const { isJudged } = opened;
  const figures = new Map<string, PromptSlice[]>();
  const judged = [];
  for (const part of parts) {
    const slices = figures.get(part.metricKey) ?? (await buildScoredSlices(part, { opened, opinions }));
    figures.set(part.metricKey, slices);
    judged.push({ ...part, number: SCORE_FOR, slices: selectSlices(slices, part.group) });
  }
  const changes =
    isJudged && scale !== null ? await judgePartChanges(judged, opened, { compared: "score", scale }) : [];
  return judged.map(({ group, slices, prompts }, at) => {
    const ids = listIds(group.collects);
    const facts = slices.filter(({ collectId }) => ids.includes(collectId)).map((slice) => slice.facts);
    const moments = computeScoreMoments(facts, prompts);
    const { n, x: scoreSum, promptCount } = moments;
    return {
      n,
      scoreSum,
      promptCount,
      moments,
      ...estimateShare(moments, { sourceCount: group.sourceCount }),
      ...(sumsGaps && { gap: sumScoreGap(facts, prompts) }),
      ...countValues(iterateValues(facts, prompts)),
      change: changes[at] ?? null,
    };
  });
}

function sumScoreGap(facts: readonly CollectFacts[], prompts: readonly number[]): PairMoments | undefined {
  const of = { metric: "score", families: SCORE_FAMILIES, brands: [SCORE_FOR], versus: SCORE_AGAINST } as const;
  const { momentsByBrand } = sumGaps(
    facts,
    prompts.map((prompt) => [prompt]),
    of,
  );
  return momentsByBrand.get(SCORE_FOR);
}

/** Not cached: eleven brands in two large collects would evict their own inputs. */
async function buildScoredSlices(
  { metricKey, scored }: ScoredPart,
  { opened: { analysis, prompts }, opinions }: { opened: OpenedPrompts; opinions: readonly Opinions[] },
): Promise<PromptSlice[]> {
  const all = opinions.map(({ digest, facts, ...one }) => {
    return { ...one, digest: `${digest} ${metricKey}`, read: () => buildScoredFacts(facts, scored(facts)) };
  });
  return sliceFacts(NO_CACHE, analysis.id, all, prompts);
}

function countValues(all: ReturnType<typeof iterateValues>): Pick<ScoredShare, "places" | "values"> {
  const counted = { places: 0, values: { whole: 0, none: 0, part: 0 } };
  for (const { value, passageCount } of all) {
    counted.places += passageCount;
    counted.values[value === 1 ? "whole" : value === 0 ? "none" : "part"] += 1;
  }
  return counted;
}
