import type { AnalysisType } from "../../core/analysis.ts";
import type { MeasuredKind } from "./analysis-kind.ts";
import { searchAnalysis } from "./search/search-analysis.ts";

const KINDS: readonly MeasuredKind[] = [searchAnalysis];

/** The kind of a stored analysis. Throws for one that nothing creates. */
export function kindOf(type: AnalysisType): MeasuredKind {
  const kind = KINDS.find((one) => one.type === type);
  if (!kind) throw new Error(`There is no kind of analysis for ${type}.`);
  return kind;
}
