import { z } from "zod";
import type { CollectRow } from "../../db/analyses/analyses.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { COLLECT_STATUSES } from "../../core/analyses/analysis.ts";
import { Id, InstantField } from "../../core/shared/fields.ts";
import { FAILURE_CAUSES, FAILURE_REMEDIES } from "../../core/sources/question-outcomes.ts";
import {
  CHOSEN_METHODS,
  isSource,
  findNamedMethod,
  toSource,
  COLLECTION_METHODS,
  SOURCES,
  WEBSITE,
} from "../../core/sources/sources.ts";
import { addMs, type Instant } from "../../core/shared/time.ts";
import type { SourceOutcomes } from "../../db/analyses/source-outcomes.ts";

export const Progress = z
  .object({ done: z.int(), planned: z.int(), eta: InstantField.nullable() })
  .describe("eta: expected completion; null before the first answer, while paused and after completion.");

export const Collect = z
  .object({
    id: Id,
    analysis_id: Id,
    number: z.int().describe("Number of the run in its analysis; the first is 1."),
    status: z.enum(COLLECT_STATUSES).describe("partial: some prompts failed; metrics use the other answers."),
    setup_version: z.int().describe("Version of the setup: 1 at creation, each change adds 1."),
    planned: z.int().describe("Prompts to send in this run, including repeats."),
    succeeded: z.int(),
    failed: z.int(),
    collection_methods: z
      .array(z.enum(COLLECTION_METHODS))
      .describe("Collection methods of the answers; simulated: invented answers. Empty until the run completes."),
    collected_from: InstantField.nullable().describe("Time of the first answer."),
    collected_to: InstantField.nullable().describe("Time of the last answer."),
    started_at: InstantField.nullable(),
    finished_at: InstantField.nullable(),
    progress: Progress,
    cost: z.object({ reserved_credits: z.int(), spent_credits: z.int() }),
  })
  .meta({ id: "Collect" });

export function shapeCollect(row: CollectRow, now: Instant): z.input<typeof Collect> {
  return {
    ...toSnakeCase(row),
    progress: estimateProgress(row, now),
    cost: { reserved_credits: row.reservedCredits, spent_credits: row.costCredits },
  };
}

export function estimateProgress(collect: CollectRow, now: Instant) {
  const { planned, succeeded, failed, startedAt, finishedAt, isHeld } = collect;
  const done = succeeded + failed;
  if (startedAt === null || finishedAt !== null || isHeld || done === 0) return { done, planned, eta: null };
  const tookMs = Date.parse(now) - Date.parse(startedAt);
  return { done, planned, eta: addMs(now, Math.max(0, Math.round((tookMs * (planned - done)) / done))) };
}

const CollectFailuresField = z.array(
  z.object({ cause: z.enum(FAILURE_CAUSES), questions: z.int(), remedy: z.string().describe("Remedy.") }),
);

export const CollectWithSourcesSchema = Collect.extend({
  sources: z
    .array(
      z.object({
        source: z.enum([...SOURCES, WEBSITE]),
        method: z.enum(CHOSEN_METHODS).optional().describe("Collection method, if the setup names methods."),
        planned: z.int(),
        answered: z.int(),
        not_shown: z.int().describe("Prompts for which the source showed no answer."),
        refused: z.int(),
        failed: z.int(),
        failures: CollectFailuresField,
      }),
    )
    .describe("Outcomes per source. Empty for imports."),
}).meta({ id: "CollectWithSources" });

export function shapeEnds({ source, planned, answered, notShown, refused, failed, causes }: SourceOutcomes) {
  const failures = causes.map((one) => ({ ...one, remedy: FAILURE_REMEDIES[one.cause] }));
  const asked = isSource(source) ? { source: toSource(source), method: findNamedMethod(source) } : { source };
  return { ...asked, planned, answered, not_shown: notShown, refused, failed, failures };
}
