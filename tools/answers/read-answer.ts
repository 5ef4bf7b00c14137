import type { Capture, Reading } from "../../core/reading/capture.ts";
import type { CompiledCatalog } from "../../core/reading/catalog.ts";
import type { PerceptionContext } from "../../core/perception/perception.ts";
import { readableText, unreadReading } from "../../core/reading/reading.ts";
import { readOr } from "../../core/shared/within-time.ts";
import type { MeasuredKind } from "../analyses/kinds/analysis-kind.ts";

/** Reads one answer within its time limit; past it, gives a reading that says so. */
export function readAnswer(
  kind: Pick<MeasuredKind, "read">,
  capture: Capture,
  { catalog, context }: { catalog: CompiledCatalog; context: PerceptionContext },
): Reading {
  const { source } = context;
  const reading = readOr(readableText(capture, source).length, () => kind.read(capture, catalog, context), null);
  return reading ?? unreadReading(capture, catalog, { source, reason: "too_slow" });
}
