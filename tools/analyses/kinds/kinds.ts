import type { AnalysisType } from "../../../core/analyses/analysis.ts";
import type { AnalysisKind } from "./analysis-kind.ts";
import { brandAnalysis } from "./brand-analysis/brand-analysis.ts";
import { geoAudit } from "./geo-audit/geo-audit.ts";
import { searchAnalysis } from "./search-analysis/search-analysis.ts";

export const KINDS: readonly AnalysisKind[] = [brandAnalysis, searchAnalysis, geoAudit];

/** The kind of a stored analysis. Throws for one that nothing creates. */
export function kindOf(type: AnalysisType): AnalysisKind {
  const kind = KINDS.find((one) => one.type === type);
  if (!kind) throw new Error(`There is no kind of analysis for ${type}.`);
  return kind;
}
