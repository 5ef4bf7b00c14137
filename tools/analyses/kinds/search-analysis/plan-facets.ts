import type { FacetRow, QuestionRows } from "../../../../db/analyses/questions.ts";
import type { FacetKind } from "../../../../core/analyses/analysis.ts";

export interface FacetPlan {
  id(kind: FacetKind, name: string, parentId?: string | null): string;
  addedFacets: QuestionRows["facets"];
}

export function planFacets(analysisId: string, existing: readonly FacetRow[], newId: () => string): FacetPlan {
  const ids = new Map(existing.map(({ id, kind, name, parentId }) => [buildFacetKey(kind, name, parentId), id]));
  const addedFacets: QuestionRows["facets"] = [];
  return {
    addedFacets,
    id(kind, name, parentId = null) {
      const key = buildFacetKey(kind, name, parentId);
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = newId();
      addedFacets.push({ id, analysisId, kind, parentId, name, position: ids.size });
      ids.set(key, id);
      return id;
    },
  };
}

function buildFacetKey(kind: FacetKind, name: string, parentId: string | null): string {
  return `${kind} ${parentId} ${name}`;
}
