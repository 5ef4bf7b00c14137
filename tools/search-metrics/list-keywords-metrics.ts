import { z } from "zod";
import { findProject, listBrandNames } from "../../db/measuring/projects.ts";
import { eachMatchingKeywords, listChannels, listKeywordLabels } from "../../db/measuring/search-metrics.ts";
import type { Db } from "../../db/engine/store.ts";
import { notFound } from "../../core/errors.ts";
import { Id, KeywordTypeField } from "../../core/fields.ts";
import { openChannels, siteTypeBits, type KeywordChannels } from "../../core/measuring/keyword-channels.ts";
import { hasSiteType, keywordMetrics, type ChannelsBySource } from "../../core/measuring/keyword-metrics.ts";
import { countedTogether, KEYWORD_TYPES, SOURCES, summedTogether, type Source } from "../../core/sources.ts";
import { endpoint } from "../endpoint.ts";
import { nameOr } from "../name-or.ts";
import { Basis, basisOf } from "./basis.ts";
import { chooseCollects, idsOf } from "./choose-collects.ts";
import { KeywordMetrics, shapeKeywordMetrics } from "./keyword-metrics.ts";
import {
  chosenSources,
  chosenTypes,
  collectQuery,
  competitorTypeList,
  keywordFilter,
  keywordQuery,
  kindQuery,
  namedFilters,
  projectQuery,
  SOURCES_TOLD,
  sourceList,
  thematicNames,
} from "./selection.ts";

const FIGURES =
  "ranks = mean rank of the own brand where present, 1 is best; score = 100 × mean of 1 / log2(1 + rank) over all answers, 0 where absent";

export const listKeywordsMetrics = endpoint({
  name: "listKeywordsMetrics",
  method: "GET",
  path: "/api/v1/keywords-metrics",
  group: "Search Metrics",
  summary: "Rank of the own brand by keyword and source",
  description:
    "Rank of your own brand per keyword and source, now and before, where it got worse, and the page shown; for others use list_answers. `…_main_brand_ranked: false`: asked but not ranked. `has_…: false`, or fields left out: no answer there, do not count it.",
  access: { project: "viewer" },
  input: z.strictObject({
    ...projectQuery,
    sources: sourceList.describe(SOURCES_TOLD),
    thematics: thematicNames,
    keyword_type: z.array(KeywordTypeField).describe("Empty: both."),
    ...collectQuery,
    prev_collect_id: Id.nullish().describe("From list_collects; by default the collect before."),
    ...keywordQuery,
    funnel_stages: z.array(nameOr("funnel_stage")).max(100).nullish().describe("ToFu, MoFu, BoFu."),
    ...kindQuery,
    perception_type: nameOr("perception")
      .nullish()
      .describe("positive: about a strength; negative: about a weakness; neutral: neither."),
    competitor_types: competitorTypeList.describe("Kinds of site that ranked or were cited, from get_project_filters."),
    statistics: z.boolean().default(false).describe("Counts behind each row."),
  }),
  toolDefaults: { sources: [], thematics: [], keyword_type: [] },
  output: z.object({ data: z.array(KeywordMetrics), basis: Basis }),
  isHeavy: () => true,
  async handle(input, { db, tenant }) {
    const project = await findProject(tenant, input.project_id);
    if (!project) throw notFound("project");
    const collects = await chooseCollects(tenant, project.id, input);
    const sources = chosenSources(input.sources) ?? SOURCES;
    const all = await readChannels(db, idsOf([...collects.current, ...collects.previous]), sources);
    const ofCurrent = all.filter(({ collectId }) => idsOf(collects.current).includes(collectId));
    const isSimulated = countedTogether(ofCurrent, input.kind ?? undefined).some((row) => row.isSimulated);
    const rows = all.filter((row) => row.isSimulated === isSimulated);
    const current = bySource(rows, idsOf(collects.current));
    const previous = bySource(rows, idsOf(collects.previous));
    const summed = new Set(chosenSources(input.sources) ?? summedTogether([...current.keys()]));
    const filter = keywordFilter(input, chosenTypes(input.keyword_type, KEYWORD_TYPES));
    const labels = await listKeywordLabels(tenant, project.id);
    const siteTypes = siteTypeBits(input.competitor_types ?? []);
    const data: z.input<typeof KeywordMetrics>[] = [];
    const positions: number[] = [];
    for await (const keywords of eachMatchingKeywords(db, project.id, filter)) {
      for (const keyword of keywords) {
        if (siteTypes !== 0 && !hasSiteType(keyword.position, current, siteTypes)) continue;
        positions.push(keyword.position);
        data.push(
          shapeKeywordMetrics(keyword, keywordMetrics(keyword.position, { current, previous, summed }), {
            labels,
            withCounts: input.statistics,
          }),
        );
      }
    }
    const countAt = ({ channels }: ChannelRow) => positions.reduce((sum, at) => sum + (channels.answers[at] ?? 0), 0);
    const counted = rows.map((row) => ({ collectId: row.collectId, source: row.source, answers: countAt(row) }));
    const others = ofCurrent.filter((row) => row.isSimulated !== isSimulated);
    const basis = await basisOf(tenant, FIGURES, collects, {
      sums: undefined,
      isSimulated,
      leftOut: others.reduce((sum, row) => sum + countAt(row), 0),
      current: counted,
      previous: counted,
      families: (await listBrandNames(tenant)).filter(({ parentId }) => parentId === null).length,
      filters: namedFilters(input),
    });
    return { data, basis };
  },
});

interface ChannelRow {
  collectId: string;
  source: Source;
  isSimulated: boolean;
  channels: KeywordChannels;
}

async function readChannels(db: Db, collectIds: string[], sources: readonly Source[]): Promise<ChannelRow[]> {
  const rows = await listChannels(db, collectIds, sources);
  return rows.map(({ channels, ...row }) => ({ ...row, channels: openChannels(channels) }));
}

function bySource(rows: readonly ChannelRow[], collectIds: readonly string[]): ChannelsBySource {
  const grouped = new Map<Source, KeywordChannels[]>();
  for (const collectId of collectIds) {
    for (const { source, channels } of rows.filter((own) => own.collectId === collectId)) {
      grouped.set(source, [...(grouped.get(source) ?? []), channels]);
    }
  }
  return grouped;
}
