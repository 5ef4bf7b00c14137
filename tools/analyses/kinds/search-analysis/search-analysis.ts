import type { KeywordDataKind } from "../../../../core/analyses/keyword-data.ts";
import { selectSummedSources } from "../../../../core/sources/sources.ts";
import type { MeasuredSpread } from "../../../../core/statistics/measured-spread.ts";
import type { Cost } from "../../../quotes/quote.ts";
import type { AskedQuestions, Prices, AnalysisPlan, QuestionRange, AnalysisKind } from "../analysis-kind.ts";
import { computeUnitsCost } from "../../../collects/collect-cost.ts";
import { computeSetupPower, type Power } from "../../setup/power.ts";
import { listJobSources } from "../../setup/setup-faults.ts";
import {
  eachKeyword,
  StoredSettingsSchema,
  type SearchAnalysisSetup,
  countKeywords,
  MAX_KEYWORDS,
  normaliseSetup,
  searchAnalysisFields,
  ShownSettingsSchema,
  StoredSetupSchema,
} from "./search-analysis-setup.ts";
import { type QuestionRows, countQuestions, insertQuestions, listFacets } from "../../../../db/analyses/questions.ts";
import type { FacetKind } from "../../../../core/analyses/analysis.ts";
import { planFacets } from "./plan-facets.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import type { CompiledCatalog } from "../../../../core/reading/catalog.ts";
import { findBrandsInPrompt } from "../../../../core/reading/find-mentions.ts";
import type { ImportLine } from "../../../../core/reading/import-line.ts";
import { parseEachWithinTime } from "../../../../core/shared/run-within-time.ts";
import { computeSums } from "../../../../db/metrics/rollups.ts";
import { readCapture } from "../../../../core/reading/reading.ts";
import { presentSearchAnalysis } from "./search-analysis-presentation.ts";
import { readSearchSetup } from "./read-search-setup.ts";

export const searchAnalysis: AnalysisKind<typeof searchAnalysisFields, SearchAnalysisSetup> = {
  type: "search_analysis",
  noun: "search analysis",
  fields: searchAnalysisFields,
  setup: StoredSetupSchema,
  normalise: normaliseSetup,
  sources: listJobSources,
  settingsSchema: ShownSettingsSchema,
  loadSetup: readSearchSetup,
  unknownKeywords: countUnknownKeywords,
  power: computePower,
  promptsNoun: "generic prompts",
  unitCredits: (prices) => prices.search_analysis_question,
  collectCost: computeKeywordsCost,
  countSpentCredits: async (_read, { succeeded, unitCredits }) => succeeded * unitCredits,
  answerCredits: (unitCredits) => unitCredits,
  present: presentSearchAnalysis,
  plan: planSearchAnalysis,
  buildRunPlan: (settings) => {
    const { runs_per_prompt: runs, ...asked } = StoredSettingsSchema.parse(settings);
    return { sources: listJobSources(asked), runs };
  },
  buildQuestions: planKeywords,
  read: readCapture,
  computeTotals: computeSums,
  afterCollect: ["suggest_brands", "recommend_actions"],
  readsKeywords: true,
  afterRereading: ["recommend_actions"],
  imports: { maxQuestions: MAX_KEYWORDS, addQuestions: addKeywords },
};

const IMPORTED_GROUP = "Imported";

/** Skips known keywords. New ones that name a brand get type Brand. Returns ids by text. */
async function addKeywords(
  tenant: Tenant,
  stored: ReadonlyMap<string, string>,
  lines: readonly ImportLine[],
  by: { analysisId: string; catalog: CompiledCatalog; newId: () => string },
): Promise<ReadonlyMap<string, string>> {
  const { analysisId, catalog, newId } = by;
  if (lines.every(({ keyword }) => stored.has(keyword))) return stored;
  const ids = new Map(stored);
  const facets = planFacets(analysisId, await listFacets(tenant, analysisId), newId);
  const questions: QuestionRows["questions"] = [];
  // Counts stored questions instead of `known`: a keyword changed by a setup change has two rows.
  const first = await countQuestions(tenant, analysisId);
  const added = lines.filter(({ keyword }) => !stored.has(keyword));
  const naming = parseEachWithinTime(added, {
    countCharacters: ({ keyword }) => keyword.length,
    read: ({ keyword }) => findBrandsInPrompt(keyword, catalog).size > 0,
    fallback: false,
  });
  for (const [at, line] of added.entries()) {
    if (ids.has(line.keyword)) continue;
    const id = newId();
    const thematicId = facets.id("thematic", line.thematic ?? IMPORTED_GROUP);
    const topicId = facets.id("topic", line.topic ?? line.thematic ?? IMPORTED_GROUP, thematicId);
    const type = naming[at] ? "Brand" : "Generic";
    questions.push({
      id,
      analysisId,
      position: first + questions.length,
      text: line.keyword,
      type,
      thematicId,
      topicId,
      intent: [],
    });
    ids.set(line.keyword, id);
  }
  await insertQuestions(tenant, { facets: facets.addedFacets, questions });
  return ids;
}

function planSearchAnalysis(setup: SearchAnalysisSetup): AnalysisPlan {
  const { name: _name, schedule: _schedule, brand_id: _brand, competitor_ids: _competitors, ...rest } = setup;
  const { thematics: _thematics, max_spend_usd: _cap, ...settings } = rest;
  return {
    brandId: setup.brand_id,
    competitorIds: setup.competitor_ids,
    settings,
    prompts: null,
    questionCount: countKeywords(setup),
  };
}

function planKeywords(setup: SearchAnalysisSetup, part: QuestionRange, newId: () => string): QuestionRows {
  const { analysisId, first, limit } = part;
  const facets = planFacets(analysisId, part.facetRows, newId);
  const facetId = (kind: FacetKind, name: string | undefined) => (name === undefined ? null : facets.id(kind, name));
  const questions: QuestionRows["questions"] = [];
  let position = -1;
  for (const { keyword, thematic, topic } of eachKeyword(setup)) {
    if (++position < first) continue;
    if (questions.length === limit) break;
    const thematicId = facets.id("thematic", thematic);
    questions.push({
      id: newId(),
      analysisId,
      position,
      text: keyword.text,
      type: keyword.type,
      funnelStage: keyword.funnel_stage ?? null,
      thematicId,
      topicId: facets.id("topic", topic, thematicId),
      personaId: keyword.persona_id ?? null,
      strengthId: facetId("strength", keyword.strength),
      weaknessId: facetId("weakness", keyword.weakness),
      relatedProductId: facetId("related_product", keyword.related_product),
      subBrandId: facetId("sub_brand", keyword.sub_brand),
      intent: keyword.intent ?? [],
      searchVolume: keyword.search_volume ?? null,
      trends: keyword.trends ?? null,
      searchInterestTrends: keyword.search_interest_trends ?? null,
      relatedQueries: keyword.related_queries ?? null,
    });
  }
  return { facets: facets.addedFacets, questions };
}

function computeKeywordsCost({ settings, questionCount }: AskedQuestions, { prices, adapters }: Prices): Cost {
  const { runs_per_prompt: runs, ...asked } = StoredSettingsSchema.parse(settings);
  const unitLabel = "prompts x repeats, each run";
  return computeUnitsCost(
    {
      sources: listJobSources(asked),
      unitLabel,
      quantity: questionCount * runs,
      unitCredits: prices.search_analysis_question,
    },
    adapters,
  );
}

function countUnknownKeywords(setup: SearchAnalysisSetup, wanted: KeywordDataKind): number {
  return [...eachKeyword(setup)].filter(({ keyword }) => {
    const { search_volume: volume, trends, search_interest_trends: interest, related_queries: related } = keyword;
    return (wanted === "volume" ? [volume, trends] : [interest, related]).every((given) => given === undefined);
  }).length;
}

function computePower(setup: SearchAnalysisSetup, measured?: MeasuredSpread): Power | null {
  const sourceCount = selectSummedSources(setup.sources).length;
  if (sourceCount === 0) return null;
  const promptCount = [...eachKeyword(setup)].filter(({ keyword }) => keyword.type === "Generic").length;
  return computeSetupPower({ promptCount, runs: setup.runs_per_prompt, sourceCount }, measured);
}
