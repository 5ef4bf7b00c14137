import type { QuestionRows } from "../../../db/measuring/questions.ts";
import type { FacetKind } from "../../../core/analysis.ts";
import type { AnalysisPlan, QuestionPart } from "../analysis-kind.ts";
import { planFacets } from "./plan-facets.ts";
import { countKeywords, keywordsOf, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

/** A question per keyword, at each source of the setup. */
export function planSearchAnalysis(setup: SearchAnalysisSetup): AnalysisPlan {
  const { name: _name, schedule: _schedule, brand_id: _brand, competitor_ids: _competitors, ...rest } = setup;
  const { thematics: _thematics, max_spend_usd: _cap, ...settings } = rest;
  return {
    brandId: setup.brand_id,
    competitorIds: setup.competitor_ids,
    settings,
    prompts: null,
    questions: countKeywords(setup),
  };
}

/** Rows of a part of the keywords of a setup, in its order, and of their groups. Each group gets one id, whatever names it again. */
export function planKeywords(setup: SearchAnalysisSetup, part: QuestionPart, newId: () => string): QuestionRows {
  const { analysisId, first, most } = part;
  const facets = planFacets(analysisId, part.facets, newId);
  const facetId = (kind: FacetKind, name: string | undefined) => (name === undefined ? null : facets.id(kind, name));
  const questions: QuestionRows["questions"] = [];
  let position = -1;
  for (const { keyword, thematic, topic } of keywordsOf(setup)) {
    if (++position < first) continue;
    if (questions.length === most) break;
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
  return { facets: facets.added, questions };
}
