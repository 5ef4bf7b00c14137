import type { CollectPerception } from "../../../core/metrics/facts/collect-perception.ts";
import type { UnpackedFacts } from "../../../db/answers/facts-reader.ts";
import type { CollectFacts } from "../../../core/metrics/facts/collect-facts.ts";
import { countAnswers } from "../../../core/metrics/facts/sum-facts.ts";
import { hashPacked } from "../../../core/metrics/packed-columns.ts";
import { groupPositionsByPrompt } from "../../../core/metrics/prompt-clusters.ts";
import type { PromptKind } from "../../../core/prompts/brand-prompt.ts";
import { KEYWORD_TYPES, type CollectionMethod, type Source } from "../../../core/sources/sources.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { findAnalysis } from "../../../db/analyses/analyses.ts";
import { listQuestionsOfKinds, type KindQuestion } from "../../../db/metrics/awareness-facts.ts";
import { listBrandNames } from "../../../db/analyses/projects.ts";
import { listKeywordLabels, listKeywordPositions } from "../../../db/metrics/search-metrics.ts";
import { readBasis } from "./basis.ts";
import { listIds } from "./choose-collects.ts";
import { keywordFilter, namedFilters } from "./selection.ts";
import { selectFamilies } from "../../../core/metrics/share-of-voice.ts";
import { readFacts, buildSelection, limitToOneMethod } from "./sum-brands.ts";
import { PROMPT_DIMENSIONS, buildPromptGroups, groupByPrompt, sliceFacts, type PromptGroup } from "./prompt-groups.ts";
import { selectShownBrands, chooseForRows, type BrandMetricsInput } from "./prompt-selection.ts";

export interface Opinions extends UnpackedFacts<CollectPerception> {
  collectId: string;
}

export type OpenedPrompts = Awaited<ReturnType<typeof openPrompts>>;

export async function openPrompts(
  tenant: Tenant,
  analysis: { id: string; brandId: string },
  options: { input: BrandMetricsInput; kinds: readonly PromptKind[]; isCounted?: (question: KindQuestion) => boolean },
) {
  const { db } = tenant;
  const { input, kinds, isCounted = () => true } = options;
  const collects = await chooseForRows(tenant, analysis.id, input);
  const brands = await listBrandNames(tenant);
  const families = selectFamilies(brands);
  const { personas: persona_ids, countries } = input;
  const filter = keywordFilter({ persona_ids, countries, prompt_kinds: kinds }, KEYWORD_TYPES);
  const selection = buildSelection(analysis.id, filter, input);
  const chosen = await readFacts(db, selection, listIds(collects.requiredCollects));
  const isByCollect = input.group_by.includes("collect");
  const read = isByCollect ? chosen : limitToOneMethod(chosen, new Set(listIds(collects.current)));
  const matching = new Set(await listKeywordPositions(db, analysis.id, filter));
  const asked = (await listQuestionsOfKinds(db, analysis.id, kinds)).filter(({ position }) => matching.has(position));
  const questions = asked.filter(isCounted);
  const prompts = groupByPrompt(questions);
  const positions = questions.map(({ position }) => position);
  const current = new Set(listIds(collects.current));
  const counted = read.counted.filter(({ collectId }) => current.has(collectId));
  const sources = [...new Set(counted.map(({ source }) => source))];
  const dimensions = PROMPT_DIMENSIONS.filter((dimension) => input.group_by.includes(dimension));
  const facts = read.counted.map((one) => ({ ...one, read: () => one.facts }));
  const slices = await sliceFacts(db.cache, analysis.id, facts, prompts);
  const isByPersona = dimensions.includes("persona");
  const labelsById = isByPersona ? await listKeywordLabels(tenant, analysis.id) : new Map<string, string>();
  const groups = buildPromptGroups(dimensions, { sources, counted, collects: collects.current, questions, labelsById });
  const shown = await selectShownBrands(tenant, { analysis, brands, input });
  const storedAnalysis = await findAnalysis(tenant, analysis.id);
  const isScheduled = storedAnalysis?.schedule.every !== "once";
  const ways = new Set(read.counted.map(buildPartKey));
  const key = hashKey([
    [analysis, prompts.key, isScheduled, input.statistics, dimensions, input.method, sources, families.marks.join("")],
    shown.map(({ brand }) => brand),
    [collects.series, collects.previous, collects.current, collects.chosen],
    groups.map(groupKeyPart),
    facts.map(({ collectId, source, method, digest }) => [collectId, source, method, digest]),
  ]);
  return {
    /** Excludes rows shown and uncounted questions. */
    key,
    analysis,
    collects,
    brands,
    prompts,
    uncounted: groupByPrompt(asked.filter((question) => !isCounted(question))),
    sources,
    isCounted: (one: CollectedAnswers) => ways.has(buildPartKey(one)),
    slices,
    groups,
    shown,
    isScheduled,
    /** Several collects measured as one have no comparison. */
    isJudged: input.statistics && (dimensions.includes("collect") || collects.current.length === 1),
    /** True if rows are brands or collects alone, so that the own brand is a single test. */
    isWhole: dimensions.every((one) => one === "collect"),
    /** `figures` names the metrics; `isReading` marks incomplete extraction. */
    basis(
      figures: string,
      { opinions, isReading = false }: { opinions?: readonly Opinions[]; isReading?: boolean } = {},
    ) {
      const all = read.counted.map((one) => ({ ...one, answers: countAnswersTo(positions, one.facts) }));
      const answering = all.filter(({ answers }) => answers > 0);
      return readBasis(tenant, figures, collects, {
        ...read,
        sums: countAnswers(
          counted.map((one) => one.facts),
          groupPositionsByPrompt(positions, read.clusters),
        ),
        current: answering.filter(({ collectId }) => current.has(collectId)),
        previousAnswers: answering.filter(({ collectId }) => listIds(collects.previous).includes(collectId)),
        familyCount: families.count,
        filters: namedFilters({ ...input }),
        hasChanges: input.statistics,
        isReading,
        judges: opinions && countJudges(opinions.filter(({ collectId }) => current.has(collectId))),
      });
    },
  };
}

export async function listCounted<One extends Omit<CollectedAnswers, "collectId">>(
  { collects, isCounted }: OpenedPrompts,
  list: (collectId: string) => Promise<readonly One[]>,
): Promise<(One & { collectId: string })[]> {
  const all: (One & { collectId: string })[] = [];
  for (const { id: collectId } of collects.requiredCollects) {
    const own = (await list(collectId)).map((one) => ({ ...one, collectId }));
    all.push(...own.filter(isCounted));
  }
  return all;
}

interface CollectedAnswers {
  collectId: string;
  source: Source;
  method: CollectionMethod;
}

function buildPartKey({ collectId, source, method }: CollectedAnswers): string {
  return `${collectId} ${source} ${method}`;
}

export function hashKey(value: unknown): string {
  return hashPacked(new TextEncoder().encode(JSON.stringify(value)));
}

export function groupKeyPart({ collects, ...group }: PromptGroup) {
  return { ...group, collects: listIds(collects) };
}

function countAnswersTo(positions: readonly number[], { answers }: CollectFacts): number {
  return positions.reduce((sum, position) => sum + (answers[position] ?? 0), 0);
}

/** Undefined if no language model extracted answers. */
function countJudges(opinions: readonly Opinions[]): { model: string; answers: number }[] | undefined {
  const counts = new Map<string, number>();
  for (const { facts } of opinions) {
    for (const [model, answers] of facts.judges) counts.set(model, (counts.get(model) ?? 0) + answers);
  }
  return counts.size === 0 ? undefined : [...counts].map(([model, answers]) => ({ model, answers }));
}
