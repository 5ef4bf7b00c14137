import type { AnalysisType } from "../../../core/analyses/analysis.ts";
import type { PerceptionContext } from "../../../core/perception/perception.ts";
import type { Capture, Reading } from "../../../core/reading/capture.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { readableText, createUnreadReading } from "../../../core/reading/reading.ts";
import { parseWithinTime } from "../../../core/shared/run-within-time.ts";
import type { AnalysisKind, MeasuredKind } from "./analysis-kind.ts";
import { brandAnalysis } from "./brand-analysis/brand-analysis.ts";
import { geoAudit } from "./geo-audit/geo-audit.ts";
import { searchAnalysis } from "./search-analysis/search-analysis.ts";

export const KINDS: readonly AnalysisKind[] = [brandAnalysis, searchAnalysis, geoAudit];

/** Throws for a type that no kind declares. */
export function kindOf(type: AnalysisType): AnalysisKind {
  const kind = KINDS.find((one) => one.type === type);
  if (!kind) throw new Error(`There is no kind of analysis for ${type}.`);
  return kind;
}

/** Extracts one answer within the time limit; on timeout the reading records the timeout. */
export function readAnswer(
  kind: Pick<MeasuredKind, "read">,
  capture: Capture,
  { catalog, context }: { catalog: CompiledCatalog; context: PerceptionContext },
): Reading {
  const { source } = context;
  const reading = parseWithinTime(
    readableText(capture, source).length,
    () => kind.read(capture, catalog, context),
    null,
  );
  return reading ?? createUnreadReading(capture, catalog, { source, reason: "too_slow" });
}
