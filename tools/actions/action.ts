import { z } from "zod";
import type { ActionRow, ActionSummaryRow, TaskRow } from "../../db/actions/recommended-actions.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { Id, InstantField, outsideTextSchema } from "../../core/shared/fields.ts";
import {
  ACTION_CATEGORIES,
  ACTION_CHANNELS,
  ACTION_RULES,
  CRITICALITIES,
  DISMISS_REASONS,
  LEVELS,
  TIMELINES,
  WORKFLOW_STATUSES,
} from "../../core/actions/action.ts";
import { COLLECTION_METHODS } from "../../core/sources/sources.ts";
import { EvidenceSchema, shapeEvidence } from "./evidence.ts";
import { shapeTask, TaskSchema } from "./task.ts";

export const ActionSummary = z
  .object({
    id: Id,
    organization_id: Id,
    workspace_id: Id,
    analysis_id: Id,
    action_label: outsideTextSchema(),
    category: z.enum(ACTION_CATEGORIES),
    channel: z.enum(ACTION_CHANNELS),
    description: outsideTextSchema(),
    rule: z.enum(ACTION_RULES).describe("Trigger of the action."),
    score: z.number().describe("0 to 100; higher is more valuable."),
    impact: z.enum(LEVELS),
    effort: z.enum(LEVELS),
    criticality: z.enum(CRITICALITIES),
    timeline: z.enum(TIMELINES),
    workflow_status: z.enum(WORKFLOW_STATUSES),
    dismiss_reason: z.enum(DISMISS_REASONS).nullable(),
    dismiss_comment: z.string().nullable(),
    evidence_count: z.int().describe("Rows of evidence, not pages or answers."),
    collect_id: Id.describe("Latest run that showed the finding."),
    collection_methods: z.array(z.enum(COLLECTION_METHODS)).describe("simulated: based on invented answers."),
    first_seen_at: InstantField,
    last_seen_at: InstantField,
    resolved_at: InstantField.nullable().describe(
      "Time of the run that no longer showed the finding; null while runs show it.",
    ),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "RecommendedActionSummary" });

/** See service.md section 6. */
export const Action = ActionSummary.extend({
  trigger: z.object({ rule: z.enum(ACTION_RULES), text: z.string() }),
  reasoning: outsideTextSchema(),
  evidence: z.array(EvidenceSchema),
  tasks: z.array(TaskSchema),
}).meta({ id: "RecommendedAction" });

export function shapeSummary(row: ActionSummaryRow): z.input<typeof ActionSummary> {
  return toSnakeCase(row);
}

export function shapeAction(row: ActionRow, tasks: readonly TaskRow[]): z.input<typeof Action> {
  return {
    ...shapeSummary(row),
    trigger: { rule: row.rule, text: row.triggerText },
    reasoning: row.reasoning,
    evidence: row.evidence.map(shapeEvidence),
    tasks: tasks.map(shapeTask),
  };
}
