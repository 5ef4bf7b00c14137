import type { AnalysisType } from "../../../core/analyses/analysis.ts";
import type { PerceptionContext } from "../../../core/perception/perception.ts";
import type { Capture, Reading } from "../../../core/reading/capture.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { readableText, createUnreadReading } from "../../../core/reading/reading.ts";
import { parseEachWithinTime, parseWithinTime } from "../../../core/shared/run-within-time.ts";
import type { AnalysisKind, MeasuredKind } from "./analysis-kind.ts";
import { brandAnalysis } from "./brand-analysis/brand-analysis.ts";
import { geoAudit } from "./geo-audit/geo-audit.ts";
import { searchAnalysis } from "./search-analysis/search-analysis.ts";

export const KINDS: readonly AnalysisKind[] = [brandAnalysis, searchAnalysis, geoAudit];

export function getAnalysisKind(type: AnalysisType): AnalysisKind {
  const kind = KINDS.find((one) => one.type === type);
  if (!kind) throw new Error(`There is no kind of analysis for ${type}.`);
  return kind;
}

interface AnswerToRead {
  capture: Capture;
  context: PerceptionContext;
}

export function readAnswer(
  kind: Pick<MeasuredKind, "read">,
  capture: Capture,
  { catalog, context }: { catalog: CompiledCatalog; context: PerceptionContext },
): Reading {
  const characters = countCharacters({ capture, context });
  const reading = parseWithinTime(characters, () => kind.read(capture, catalog, context), null);
  return reading ?? createSlowReading({ capture, context }, catalog);
}

/** Short answers share a time limit. */
export function readAnswers(
  kind: Pick<MeasuredKind, "read">,
  answers: readonly AnswerToRead[],
  catalog: CompiledCatalog,
): Reading[] {
  const readings = parseEachWithinTime(answers, {
    countCharacters,
    read: ({ capture, context }) => kind.read(capture, catalog, context),
    fallback: null,
  });
  return answers.map((answer, at) => readings[at] ?? createSlowReading(answer, catalog));
}

function createSlowReading({ capture, context: { source } }: AnswerToRead, catalog: CompiledCatalog): Reading {
  return createUnreadReading(capture, catalog, { source, reason: "too_slow" });
}

export function countCharacters({ capture, context }: AnswerToRead): number {
  return readableText(capture, context.source).length;
}
