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

export const Task = z
  .object({
    id: Id,
    result_id: Id,
    position: z.int().describe("1 for the first step."),
    title: outsideTextSchema(),
    description: outsideTextSchema(),
    brief_id: Id,
    brief_ready: z.boolean().describe("False while its brief is still being written."),
    brief_status: z.enum(BRIEF_STATUSES),
    implemented_at: InstantField.nullable().describe("When its brief was marked as implemented."),
    effect: z
      .object({
        before: Measured,
        after: Measured,
        p_value: z.number().nullable(),
        verdict: z.enum(VERDICTS),
      })
      .nullable()
      .describe(
        "What the first collect after the implementation measured; null before it. A first sign is measured by the next one too; only `moved` is an effect.",
      ),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "RecommendedActionTask" });

export function shapeTask(row: TaskRow): z.input<typeof Task> {
  return {
    ...toSnakeCase(row),
    result_id: row.actionId,
    brief_ready: row.readyAt !== null,
    brief_status: row.status,
  };
}
