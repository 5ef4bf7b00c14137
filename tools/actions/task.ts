import { z } from "zod";
import type { TaskRow } from "../../db/actions/recommended-actions.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { Id, InstantField, outsideTextSchema } from "../../core/shared/fields.ts";
import { BRIEF_STATUSES } from "../../core/actions/action.ts";
import { VERDICTS } from "../../core/statistics/verdict.ts";

const Measured = z.object({
  collect_id: Id,
  collect_number: z.int(),
  answers: z.int(),
  occurrences: z.int(),
  rank: z.number().nullable(),
  ci_low: z.number().nullable(),
  ci_high: z.number().nullable(),
});

export const TaskSchema = z
  .object({
    id: Id,
    result_id: Id,
    position: z.int().describe("Position of the step; the first is 1."),
    title: outsideTextSchema(),
    description: outsideTextSchema(),
    brief_id: Id,
    brief_ready: z.boolean().describe("false: the brief is still being written."),
    brief_status: z.enum(BRIEF_STATUSES),
    implemented_at: InstantField.nullable().describe("Time at which the brief was marked as implemented."),
    effect: z
      .object({
        before: Measured,
        after: Measured,
        p_value: z.number().nullable(),
        verdict: z.enum(VERDICTS),
      })
      .nullable()
      .describe(
        "Effect measured by the first run after the implementation; null before it. An early signal (first_sign) is measured again by the next run; only a significant change (moved) is an effect.",
      ),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "RecommendedActionTask" });

export function shapeTask(row: TaskRow): z.input<typeof TaskSchema> {
  return {
    ...toSnakeCase(row),
    result_id: row.actionId,
    brief_ready: row.readyAt !== null,
    brief_status: row.status,
  };
}
