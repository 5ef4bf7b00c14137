import { selectFamilies } from "../../core/metrics/share-of-voice.ts";
import { z } from "zod";
import { findProject, listBrandNames } from "../../db/analyses/projects.ts";
import { listMethods } from "../../db/metrics/methods.ts";
import {
  iterateKeywordsAt,
  iterateMatchingKeywords,
  listChannels,
  listKeywordLabels,
  listKeywordPositions,
  type KeywordFilter,
} from "../../db/metrics/search-metrics.ts";
import { countVolumes } from "../../db/analyses/keyword-volumes.ts";
import type { Db } from "../../db/engine/store.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id, KeywordTypeField, SortDirectionField } from "../../core/shared/fields.ts";
import { unpackChannels, toSiteTypeBits, type KeywordChannels } from "../../core/metrics/keyword-channels.ts";
import {
  hasSiteType,
  computeKeywordMetrics,
  type ChannelsBySource,
  type KeywordMetrics as KeywordFigures,
} from "../../core/metrics/keyword-metrics.ts";
import {
  hasSeveralMethods,
  isSimulated as isInvented,
  selectOneMethod,
} from "../../core/metrics/select-counted-parts.ts";
import { parseLocation } from "../../core/shared/analysis-location.ts";
import {
  KEYWORD_TYPES,
  SOURCES,
  selectSummedSources,
  type CollectionMethod,
  type Source,
} from "../../core/sources/sources.ts";
import { endpoint } from "../endpoint.ts";
import { nameOrId } from "../name-or-id.ts";
import { Basis, PROMPT_NOTE, readBasis } from "../metric-reads/selection/basis.ts";
import { chooseParts, countMethods } from "../metric-reads/selection/choose-parts.ts";
import { chooseCollects, listIds } from "../metric-reads/selection/choose-collects.ts";
import {
  getMetricValue,
  sortKeywords,
  isOutlineSort,
  KEYWORD_SORTS,
  getOutlineValue,
  type KeywordSort,
  type KeywordToSort,
  isSourceCount,
  listUnselectedFlags,
  KeywordMetricsSchema,
  shapeKeywordMetrics,
} from "./keyword-row.ts";
import { openKeywordBasis, buildVolumesBasis } from "../metric-reads/selection/keyword-basis.ts";
import {
  selectSources,
  chosenTypes,
  collectQuery,
  competitorTypesField,
  keywordFilter,
  keywordQuery,
  kindQuery,
  namedFilters,
  projectQuery,
  SOURCES_DESCRIPTION,
  sourceListField,
  thematicNamesField,
} from "../metric-reads/selection/selection.ts";

const KEYWORDS_LEGEND = `ranks = average rank of your brand in answers that mention it, 1 is best; score = 100 × mean of 1 / log2(1 + rank) over all answers, 0 without your brand; ${PROMPT_NOTE}`;

const MAX_ROWS = 1000;

export const listKeywordsMetrics = endpoint({
  name: "listKeywordsMetrics",
  method: "GET",
  path: "/api/v1/keywords-metrics",
  group: "Search Metrics",
  summary: "Rank of your brand by prompt and source",
  description:
    "Rank of your own brand by prompt (`keyword`) and source, now and before, and where it got worse; for other brands use get_visibility with group_by keyword. `…_main_brand_ranked: false`: answered without your brand. `has_…: false` or no field: no answer, do not count it.",
  access: { project: "viewer" },
  input: z.strictObject({
    ...projectQuery,
    sources: sourceListField.describe(SOURCES_DESCRIPTION),
    thematics: thematicNamesField,
    keyword_type: z.array(KeywordTypeField).max(100).describe("Empty: both types."),
    ...collectQuery,
    prev_collect_id: Id.nullish().describe("From list_collects; default: previous."),
    ...keywordQuery,
    funnel_stages: z.array(nameOrId("funnel_stage")).max(100).nullish().describe("ToFu, MoFu, BoFu."),
    ...kindQuery,
    perception_type: nameOrId("perception")
      .nullish()
      .describe("About a strength (positive), weakness (negative) or neither (neutral)."),
    competitor_types: competitorTypesField.describe("Kinds of site, from get_project_filters."),
    statistics: z.boolean().default(false).describe("Add counts; prompts have no verdict."),
    page_number: z.int().min(1).nullish(),
    rows_per_page: z
      .int()
      .min(1)
      .max(MAX_ROWS)
      .nullish()
      .describe("Rows per page; default: all, or 1000 with page_number."),
    sort_column: z
      .enum(KEYWORD_SORTS)
      .nullish()
      .describe("prompt, presence, change, … or a source from get_project_filters; default: setup order."),
    sort_direction: SortDirectionField.nullish(),
  }),
  toolDefaults: { sources: [], thematics: [], keyword_type: [], statistics: true },
  toolColumns: Object.keys(KeywordMetricsSchema.shape).filter((column) => !isSourceCount(column)),
  unselectedFields: (input) => listUnselectedFlags(selectSources(input.sources)),
  output: z.object({
    data: z.array(KeywordMetricsSchema),
    total_count: z.int().optional().describe("With paging: rows on all pages."),
    basis: Basis,
  }),
  isHeavy: () => true,
  async handle(input, { db, tenant }) {
    const analysis = await findProject(tenant, input.project_id);
    if (!analysis) throw notFound("project");
    const collects = await chooseCollects(tenant, analysis.id, input);
    const sources = selectSources(input.sources) ?? SOURCES;
    const all = await readChannels(db, listIds([...collects.current, ...collects.previous]), sources);
    const order = hasSeveralMethods(all) ? await listMethods(db, analysis.id) : [];
    const parts = {
      sources,
      isSimulated: input.kind === "simulated" ? true : undefined,
      method: input.method ?? undefined,
    };
    const now = buildRows(all, listIds(collects.current), { wantedParts: parts, order });
    const hasCurrent = now.counted.length > 0;
    const wantedParts = hasCurrent ? { ...parts, isSimulated: now.isSimulated } : parts;
    const before = buildRows(all, listIds(collects.previous), { wantedParts, order });
    const { isSimulated } = hasCurrent ? now : before;
    const [current, previous] = [groupBySource(now.counted), groupBySource(before.counted)];
    const summedSources = new Set(selectSources(input.sources) ?? selectSummedSources([...current.keys()]));
    const filter = keywordFilter(input, chosenTypes(input.keyword_type, KEYWORD_TYPES));
    const labelsById = await listKeywordLabels(tenant, analysis.id);
    const siteTypeMask = toSiteTypeBits(input.competitor_types ?? []);
    const column = input.sort_column ?? undefined;
    const figuresOf = (position: number) => computeKeywordMetrics(position, { current, previous, summedSources });
    const matching = { column, labelsById, figuresOf, siteTypeMask, current };
    const { rows, volumes } =
      collects.missing === null
        ? await listMatchingKeywords(db, analysis, filter, matching)
        : { rows: [], volumes: undefined };
    const positions = rows.map(({ setupPosition }) => setupPosition);
    const isPaged = input.rows_per_page != null || input.page_number != null;
    const size = input.rows_per_page ?? (isPaged ? MAX_ROWS : rows.length);
    const first = ((input.page_number ?? 1) - 1) * size;
    const ordered = column ? sortKeywords(rows, input.sort_direction ?? "asc") : rows;
    const data: z.input<typeof KeywordMetricsSchema>[] = [];
    const shown = ordered.slice(first, first + size).map(({ setupPosition }) => setupPosition);
    for await (const keywords of iterateKeywordsAt(db, analysis.id, shown)) {
      for (const keyword of keywords)
        data.push(
          shapeKeywordMetrics(keyword, figuresOf(keyword.position), { labelsById, includesCounts: input.statistics }),
        );
    }
    const countAt = ({ channels }: ChannelRow) => positions.reduce((sum, at) => sum + (channels.answers[at] ?? 0), 0);
    const addAnswers = (of: readonly ChannelRow[]) => of.map((row) => ({ ...row, answers: countAt(row) }));
    const otherKind = now.others.filter((row) => isInvented(row) !== isSimulated);
    const basis = await readBasis(tenant, KEYWORDS_LEGEND, collects, {
      sums: undefined,
      isSimulated,
      omitted: otherKind.reduce((sum, row) => sum + countAt(row), 0),
      otherMethods: countMethods(addAnswers(now.others.filter((row) => !otherKind.includes(row)))),
      current: addAnswers(now.counted),
      previousAnswers: addAnswers(before.counted),
      familyCount: selectFamilies(await listBrandNames(tenant)).count,
      keywordFigures: volumes,
      filters: namedFilters(input),
    });
    return { data, ...(isPaged && { total_count: rows.length }), basis };
  },
});

/** Reads texts only if needed: with thousands of keywords this is the slowest part. */
async function listMatchingKeywords(
  db: Db,
  analysis: NonNullable<Awaited<ReturnType<typeof findProject>>>,
  filter: KeywordFilter,
  options: {
    column: KeywordSort | undefined;
    labelsById: ReadonlyMap<string, string>;
    figuresOf: (position: number) => KeywordFigures;
    siteTypeMask: number;
    current: ChannelsBySource;
  },
) {
  const { column, labelsById, figuresOf, siteTypeMask, current } = options;
  const location = parseLocation(analysis.setup);
  const isByOutline = column !== undefined && isOutlineSort(column);
  const getValue = (position: number) =>
    column === undefined || isOutlineSort(column) ? undefined : getMetricValue(column, figuresOf(position));
  if (!isByOutline && siteTypeMask === 0) {
    const positions = await listKeywordPositions(db, analysis.id, filter);
    const rows = positions.map((setupPosition): KeywordToSort => ({ setupPosition, value: getValue(setupPosition) }));
    return { rows, volumes: buildVolumesBasis(location, await countVolumes(db, analysis.id, filter)) };
  }
  const rows: KeywordToSort[] = [];
  const volumes = openKeywordBasis(location);
  for await (const keywords of iterateMatchingKeywords(db, analysis.id, filter)) {
    for (const keyword of keywords) {
      const { position: setupPosition } = keyword;
      if (siteTypeMask !== 0 && !hasSiteType(setupPosition, current, siteTypeMask)) continue;
      volumes.add(keyword);
      rows.push({
        setupPosition,
        value: isByOutline ? getOutlineValue(column, keyword, labelsById) : getValue(setupPosition),
      });
    }
  }
  return { rows, volumes: volumes.rows() };
}

interface ChannelRow {
  collectId: string;
  source: Source;
  method: CollectionMethod;
  channels: KeywordChannels;
}

async function readChannels(db: Db, collectIds: string[], sources: readonly Source[]): Promise<ChannelRow[]> {
  const rows = await listChannels(db, collectIds, sources);
  return rows.map(({ channels, ...row }) => ({ ...row, channels: unpackChannels(channels) }));
}

function buildRows(
  all: readonly ChannelRow[],
  collectIds: readonly string[],
  { wantedParts, order }: { wantedParts: Parameters<typeof chooseParts>[1]; order: readonly CollectionMethod[] },
) {
  const rows = collectIds.flatMap((id) => all.filter(({ collectId }) => collectId === id));
  const parts = rows.map((row) => ({ ...row, row, answers: row.channels.answers.length }));
  const { counted, isSimulated } = chooseParts(parts, wantedParts, order);
  const own = new Set(selectOneMethod(counted, order).map(({ row }) => row));
  return { isSimulated, counted: rows.filter((row) => own.has(row)), others: rows.filter((row) => !own.has(row)) };
}

function groupBySource(rows: readonly ChannelRow[]): ChannelsBySource {
  const grouped = new Map<Source, KeywordChannels[]>();
  for (const { source, channels } of rows) grouped.set(source, [...(grouped.get(source) ?? []), channels]);
  return grouped;
}
