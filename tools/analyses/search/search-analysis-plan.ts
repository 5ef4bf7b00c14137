import type { QuestionRows } from "../../../db/measuring/questions.ts";
import type { FacetKind } from "../../../core/analysis.ts";
import type { AnalysisPlan } from "../analysis-kind.ts";
import { planFacets } from "./plan-facets.ts";
import { keywordsOf, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

/** A question per keyword, at each source of the setup. */
export function planSearchAnalysis(setup: SearchAnalysisSetup, analysisId: string, newId: () => string): AnalysisPlan {
  const { name: _name, schedule: _schedule, brand_id: _brand, competitor_ids: _competitors, ...rest } = setup;
  const { thematics: _thematics, ...settings } = rest;
  return {
    brandId: setup.brand_id,
    competitorIds: setup.competitor_ids,
    settings,
    ...planKeywords(setup, analysisId, newId),
    runs: setup.runs_per_prompt,
  };
}

/** Rows of the groups and keywords of a setup, in its order. Each group gets one id, whatever names it again. */
function planKeywords(setup: SearchAnalysisSetup, analysisId: string, newId: () => string): QuestionRows {
  const facets = planFacets(analysisId, [], newId);
  const facetId = (kind: FacetKind, name: string | undefined) => (name === undefined ? null : facets.id(kind, name));
  const questions = keywordsOf(setup).map((keyword, position) => {
    const thematicId = facets.id("thematic", keyword.thematic);
    return {
      id: newId(),
      analysisId,
      position,
      text: keyword.text,
      type: keyword.type,
      funnelStage: keyword.funnel_stage ?? null,
      thematicId,
      topicId: facets.id("topic", keyword.topic, thematicId),
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
    };
  });
  return { facets: facets.added, questions };
}
