import type { FacetKind } from "../../core/analysis.ts";
import { planFacets, type KeywordRows } from "./plan-facets.ts";
import { keywordsOf, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

/** Rows of the groups and keywords of a setup, in its order. Each group gets one id, whatever names it again. */
export function planKeywords(setup: SearchAnalysisSetup, analysisId: string, newId: () => string): KeywordRows {
  const facets = planFacets(analysisId, [], newId);
  const facetId = (kind: FacetKind, name: string | undefined) => (name === undefined ? null : facets.id(kind, name));
  const keywords = keywordsOf(setup).map((keyword, position) => {
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
  return { facets: facets.added, keywords };
}
