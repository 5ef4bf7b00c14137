import { listCatalogEvents } from "../../../db/catalog/brands.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { findAnalysis } from "../../../db/analyses/analyses.ts";
import { listBrandNames, listComparedBrandIds } from "../../../db/analyses/projects.ts";
import {
  listKeywordLabels,
  listKeywordPositions,
  listVisibilityKeywords,
  type KeywordFilter,
  type MeasuredCollect,
} from "../../../db/metrics/search-metrics.ts";
import type { KeywordMask } from "../../../core/metrics/prompt-clusters.ts";
import { parseLocation } from "../../../core/shared/analysis-location.ts";
import { COLLECTION_METHODS } from "../../../core/sources/sources.ts";
import { GAP_LEGEND, PROMPT_NOTE, readBasis, type CountedAnswers } from "../selection/basis.ts";
import { countSourcesIn, listIds } from "../selection/choose-collects.ts";
import { selectFamilies, SHARE_OF_VOICE } from "../../../core/metrics/share-of-voice.ts";
import { namedFilters } from "../selection/selection.ts";
import { countSelected, readFacts, type BrandSelection } from "../selection/sum-brands.ts";
import {
  type VisibilityInput,
  selectRowBrands,
  judgesAllBrands,
  judgesChanges,
  rejectMixtures,
  rejectUnsortable,
  buildVisibilitySelection,
  selectMoved,
  sortRows,
} from "./visibility-request.ts";
import { chooseForRows, type ChosenSeries } from "../selection/prompt-selection.ts";
import { sumPublished, openFactSums, sumPrevious, type SumsOf } from "./visibility-sums.ts";
import { readStoredFigures } from "./stored-figures.ts";
import { addGaps } from "./visibility-gaps.ts";
import { addChanges, type JudgedRow } from "./visibility-changes.ts";
import { DIMENSIONS, listGroups, ANSWER_DIMENSIONS, type Dimension } from "./visibility-groups.ts";
import { cacheRows } from "./cache-rows.ts";
import { buildRow, type VisibilityRow } from "../../metrics/visibility-row.ts";

export const VISIBILITY_LEGEND = `presence_rate = occurrences / answers, 0 to 1; average_rank = average over answers with the brand, 1 is best; visibility_score = 100 × mean of 1 / log2(1 + rank), 0 without the brand; share_of_voice = ${SHARE_OF_VOICE.words}; ci = 95 % confidence interval for prompts like these`;

const MAX_EVENTS = 50;

export async function readVisibility(
  tenant: Tenant,
  analysis: { id: string; brandId: string },
  input: VisibilityInput,
) {
  if (!input.group_by.includes("method")) return readRows(tenant, analysis, input);
  const dimensions = DIMENSIONS.filter((dimension) => input.group_by.includes(dimension));
  rejectMixtures(input, dimensions);
  const group_by = input.group_by.filter((one) => one !== "method");
  const { counted, ...whole } = await readAllMethods(tenant, analysis, input);
  const methods = COLLECTION_METHODS.filter((method) => counted.some((part) => part.method === method));
  const rows: VisibilityRow[] = [];
  // Reads each method separately, since nothing is compared or judged across methods.
  for (const method of methods) {
    const own = await readRows(tenant, analysis, { ...input, group_by, method });
    rows.push(...own.rows.map((row) => ({ ...row, method })));
  }
  return { ...whole, rows: sortRows(rows, input, dimensions) };
}

async function readAllMethods(tenant: Tenant, analysis: { id: string; brandId: string }, input: VisibilityInput) {
  const brands = await listBrandNames(tenant);
  const selection = { ...buildVisibilitySelection(analysis, input, selectFamilies(brands)), everyMethod: true };
  const collects = await chooseForRows(tenant, analysis.id, input, false);
  const counted = await countSelected(tenant.db, selection, listIds(collects.current));
  const basis = await readBasis(tenant, VISIBILITY_LEGEND, collects, {
    ...counted,
    sums: counted,
    current: counted.counted,
    previousAnswers: [],
    familyCount: selectFamilies(brands).count,
    filters: namedFilters(input),
  });
  const events = input.group_by.includes("collect") ? await listCatalogEvents(tenant, MAX_EVENTS) : [];
  return { counted: counted.counted, events: events.map(shapeEvent), basis };
}

function shapeEvent({ version, ...event }: Awaited<ReturnType<typeof listCatalogEvents>>[number]) {
  return { ...event, catalog_version: version };
}

async function readRows(tenant: Tenant, analysis: { id: string; brandId: string }, input: VisibilityInput) {
  const dimensions = DIMENSIONS.filter((dimension) => input.group_by.includes(dimension));
  rejectMixtures(input, dimensions);
  const collects = await chooseForRows(tenant, analysis.id, input, true);
  const familyCount = selectFamilies(await listBrandNames(tenant)).count;
  rejectUnsortable(input, { collects, dimensions, familyCount });
  const compared = new Set(await listComparedBrandIds(tenant, analysis));
  const request = { analysis, input, collects, dimensions, compared };
  const { rows, basis } = await cacheRows(tenant, request, () => computeRows(tenant, request));
  const events = dimensions.includes("collect") ? await listCatalogEvents(tenant, MAX_EVENTS) : [];
  return {
    rows: sortRows(input.only === "moved" ? selectMoved(rows) : rows, input, dimensions),
    events: events.map(shapeEvent),
    basis,
  };
}

async function computeRows(tenant: Tenant, request: Parameters<typeof cacheRows>[1]) {
  const { analysis, input, collects, dimensions, compared } = request;
  const brands = await listBrandNames(tenant);
  const brandFamilies = selectFamilies(brands);
  const selection = buildVisibilitySelection(analysis, input, brandFamilies);
  const shown = selectRowBrands(input, brands, analysis.brandId);
  const brandIds = new Set(input.brands);
  const isNarrowed = judgesAllBrands(input, { ownId: analysis.brandId, dimensions });
  const judged = isNarrowed ? brands.filter((brand) => brand.parentId === null || brandIds.has(brand.id)) : shown;
  const isOfFew = brandIds.size > 0 || !input.group_by.includes("brand");
  const only = isOfFew && !isNarrowed ? new Set(shown.map(({ number }) => number)) : undefined;
  const read = await readAnswers(tenant, selection, { input, collects, dimensions, only });
  const { counted, facts, asked, sumsOf } = read;
  const groups = listGroups(dimensions, {
    sources: selection.sources,
    asked,
    collects: collects.current,
    ...read.keywords,
  });
  // With statistics, change has the earlier value, except for prompts and several runs as one.
  const isOneRun = dimensions.includes("collect") || collects.current.length < 2;
  const hasPrevious = !input.statistics || dimensions.includes("keyword") || !isOneRun;
  const candidates = groups.flatMap((group): JudgedRow[] => {
    const sums = sumsOf(group, group.collects);
    if (sums.total === 0) return [];
    const sourceCount = countSourcesIn(read.answers, group.collects, group.sources);
    const isRead = hasPrevious || judgesChanges(input);
    const previousSums = isRead ? sumPrevious(group, collects, (before) => sumsOf(group, before)) : undefined;
    return judged
      .filter((brand) => brandIds.has(brand.id) || compared.has(brand.id) || sums.brands.has(brand.number))
      .map((brand) => {
        const row = buildRow({ group, brand, sums, previousSums, brandFamilies, sourceCount, input, analysis });
        return { group, brand, row: hasPrevious ? row : { ...row, previous: null }, plainPrevious: row.previous };
      });
  });
  const context = { input, facts, collects, analysis, brands, dimensions };
  const changed = judgesChanges(input)
    ? await addChanges(tenant, candidates, context)
    : candidates.map(({ row }) => row);
  const { clusters, order } = read;
  const all = input.versus === undefined ? changed : addGaps(changed, candidates, { ...context, clusters, order });
  const legend = [
    VISIBILITY_LEGEND,
    ...(input.versus === undefined ? [] : [GAP_LEGEND]),
    ...(dimensions.includes("keyword") ? [PROMPT_NOTE] : []),
  ].join("; ");
  const basis = await readBasis(tenant, legend, collects, {
    ...counted,
    sums: counted,
    hasChanges: input.statistics && !dimensions.includes("keyword"),
    current: counted.counted,
    previousAnswers: read.answers.filter(({ collectId }) => listIds(collects.previous).includes(collectId)),
    familyCount: brandFamilies.count,
    filters: namedFilters(input),
  });
  return { rows: isNarrowed ? all.filter(({ brand_id }) => brandIds.has(brand_id)) : all, basis };
}

async function readAnswers(
  tenant: Tenant,
  selection: BrandSelection,
  request: {
    input: VisibilityInput;
    collects: ChosenSeries;
    dimensions: readonly Dimension[];
    only: ReadonlySet<number> | undefined;
  },
) {
  const { db } = tenant;
  const { input, collects, dimensions, only } = request;
  const stored =
    input.statistics || input.as_published || input.versus !== undefined
      ? undefined
      : await readStoredFigures(db, selection, { ...collects, dimensions });
  if (stored) {
    const { wholeCounts: counted, counted: answers, sumsOf } = stored;
    const asked = listAskedSources(answers, collects);
    return { counted, facts: [], answers, asked, keywords: NO_KEYWORDS, sumsOf, clusters: null, order: [] };
  }
  const counted = await countSelected(db, selection, listIds(collects.current));
  const kind = { ...selection, isSimulated: counted.isSimulated };
  const { counted: facts, mask, clusters, order } = await readFacts(db, kind, listIds(collects.requiredCollects));
  const { analysisId, filter, families } = selection;
  const keywords = await readKeywords(tenant, { analysisId, filter, mask, dimensions });
  const sumsOf: SumsOf = input.as_published
    ? await sumPublished(db, kind, collects.current, order)
    : openFactSums(facts, { families, clusters, only, order });
  const asked = listAskedSources(facts, collects);
  return { counted, facts, answers: facts, asked, keywords, sumsOf, clusters, order };
}

function listAskedSources(facts: readonly CountedAnswers[], { current }: { current: readonly MeasuredCollect[] }) {
  const ids = new Set(listIds(current));
  return [...new Set(facts.filter(({ collectId }) => ids.has(collectId)).map(({ source }) => source))];
}

export const NO_KEYWORDS = { positions: [], keywords: [], labels: new Map<string, string>(), country: "" };

export async function readKeywords(
  tenant: Tenant,
  request: { analysisId: string; filter: KeywordFilter; mask: KeywordMask; dimensions: readonly Dimension[] },
) {
  const { analysisId, filter, mask, dimensions } = request;
  const isCounted = (position: number) => mask === null || mask[position] === 1;
  if (dimensions.every((one) => ANSWER_DIMENSIONS.has(one))) {
    return { ...NO_KEYWORDS, positions: (await listKeywordPositions(tenant.db, analysisId, filter)).filter(isCounted) };
  }
  const keywords = await listVisibilityKeywords(tenant.db, analysisId, filter);
  const counted = keywords.filter(({ position }) => isCounted(position));
  return {
    positions: counted.map(({ position }) => position),
    keywords: counted,
    labels: await listKeywordLabels(tenant, analysisId),
    country: parseLocation((await findAnalysis(tenant, analysisId))?.setup ?? {}).country,
  };
}
