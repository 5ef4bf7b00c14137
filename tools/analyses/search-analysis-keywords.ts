import type { insertKeywords } from "../../db/analyses.ts";
import type { FacetKind } from "../../src/core/analysis.ts";
import { keywordsOf, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

type KeywordRows = Parameters<typeof insertKeywords>[1];

/** Rows of the groups and keywords of a setup, in its order. Each group gets one id, whatever names it again. */
export function planKeywords(setup: SearchAnalysisSetup, analysisId: string, newId: () => string): KeywordRows {
  const facets = new Map<string, KeywordRows["facets"][number]>();
  const facetId = (kind: FacetKind, name: string | undefined, parentId: string | null = null): string | null => {
    if (name === undefined) return null;
    const key = JSON.stringify([kind, parentId, name]);
    const known = facets.get(key);
    if (known) return known.id;
    const row = { id: newId(), analysisId, kind, parentId, name, position: facets.size };
    facets.set(key, row);
    return row.id;
  };
  const keywords = keywordsOf(setup).map((keyword, position) => {
    const thematicId = facetId("thematic", keyword.thematic) ?? "";
    return {
      id: newId(),
      analysisId,
      position,
      text: keyword.text,
      type: keyword.type,
      funnelStage: keyword.funnel_stage ?? null,
      thematicId,
      topicId: facetId("topic", keyword.topic, thematicId) ?? "",
      personaId: keyword.persona_id ?? null,
      strengthId: facetId("strength", keyword.strength),
      weaknessId: facetId("weakness", keyword.weakness),
      relatedProductId: facetId("related_product", keyword.related_product),
      subBrandId: facetId("sub_brand", keyword.sub_brand),
      intent: keyword.intent ?? [],
      searchVolume: keyword.search_volume ?? null,
      trends: keyword.trends ?? null,
    };
  });
  return { facets: [...facets.values()], keywords };
}
