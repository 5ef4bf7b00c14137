import { z } from "zod";
import type { BriefRow } from "../../db/briefs/briefs.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { Id, InstantField, outsideTextSchema, removeInvisible } from "../../core/shared/fields.ts";
import { BRIEF_STATUSES } from "../../core/actions/action.ts";

/** Brief of a task (interface.md 2.1). The body is empty while the brief is being written. */
export const Brief = z
  .object({
    id: Id,
    task_id: Id,
    title: outsideTextSchema(),
    body: outsideTextSchema().describe("Markdown; empty until the brief is written."),
    is_user_edited: z.boolean().describe("true: a person edited title or body, so the brief is never rewritten."),
    status: z.enum(BRIEF_STATUSES),
    partner_brief_id: outsideTextSchema().nullable().describe("Id at the partner; null until sent."),
    partner_status: outsideTextSchema().nullable().describe("Status as returned by the partner."),
    partner_url: z.url().nullable().meta({ "x-outside-text": true }),
    partner_due_date: InstantField.nullable(),
    partner_synced_at: InstantField.nullable().describe(
      "Time at which the partner fields were last read from the partner.",
    ),
    created_at: InstantField.nullable().optional(),
    updated_at: InstantField.nullable().optional(),
  })
  .meta({ id: "RecommendedActionBrief" });

export function shapeBrief(row: BriefRow): z.input<typeof Brief> {
  return {
    ...toSnakeCase(row),
    title: removeInvisible(row.title),
    body: removeInvisible(row.body),
    partner_status: row.partnerStatus === null ? null : removeInvisible(row.partnerStatus),
  };
}
