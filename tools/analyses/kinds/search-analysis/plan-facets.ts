import type { FacetRow, QuestionRows } from "../../../../db/analyses/questions.ts";
import type { FacetKind } from "../../../../core/analyses/analysis.ts";

export interface FacetPlan {
  id(kind: FacetKind, name: string, parentId?: string | null): string;
  added: QuestionRows["facets"];
}

export function planFacets(analysisId: string, existing: readonly FacetRow[], newId: () => string): FacetPlan {
  const ids = new Map(existing.map(({ id, kind, name, parentId }) => [facetKey(kind, name, parentId), id]));
  const added: QuestionRows["facets"] = [];
  return {
    added,
    id(kind, name, parentId = null) {
      const key = facetKey(kind, name, parentId);
      const known = ids.get(key);
      if (known !== undefined) return known;
      const id = newId();
      added.push({ id, analysisId, kind, parentId, name, position: ids.size });
      ids.set(key, id);
      return id;
    },
  };
}

function facetKey(kind: FacetKind, name: string, parentId: string | null): string {
  return `${kind} ${parentId} ${name}`;
}
