import { z } from "zod";
import type { AnalysisRow } from "../../db/analyses/analyses.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { ANALYSIS_STATUSES, ANALYSIS_TYPES } from "../../core/analyses/analysis.ts";
import { Id, InstantField } from "../../core/shared/fields.ts";
import { Schedule } from "../../core/analyses/schedule.ts";
import { toUsd } from "../../core/credits/micros.ts";

export const Analysis = z
  .object({
    id: Id,
    organization_id: Id,
    workspace_id: Id,
    type: z.enum(ANALYSIS_TYPES),
    name: z.string(),
    status: z.enum(ANALYSIS_STATUSES),
    status_reason: z.string().nullable().describe("Why it failed or was paused."),
    brand_id: Id.nullable().describe("The own brand; null of an audit of a site that no brand of the workspace has."),
    setup_version: z.int().describe("The setup that the next collect asks: one more with each change."),
    schedule: Schedule,
    ends_at: InstantField.nullable(),
    collects_planned: z.int().describe("Collects that were confirmed and paid for."),
    collects_left: z.int().describe("Of these, those that are still to start."),
    reserved_credits: z.int().describe("Credits that are reserved for them."),
    max_spend_usd: z
      .number()
      .nullable()
      .describe("US dollars that providers may be paid for it over its life; null is no bound."),
    next_collect_at: InstantField.nullable().describe("When the next collect is due; null when none is planned."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "Analysis" });

export function shapeAnalysis(row: AnalysisRow): z.input<typeof Analysis> {
  return {
    ...toSnakeCase(row),
    collects_planned: row.plannedCollects,
    collects_left: row.roundsLeft,
    reserved_credits: row.roundsLeft * row.roundCredits,
    max_spend_usd: row.spendCapMicros === null ? null : toUsd(row.spendCapMicros),
  };
}
