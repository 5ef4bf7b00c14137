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
    status_reason: z.string().nullable().describe("Reason for failure or pause, or that a schedule ended."),
    brand_id: Id.nullable().describe(
      "Your brand; null for an audit of a site that belongs to no brand of the workspace.",
    ),
    setup_version: z.int().describe("Version of the setup that the next run uses; each change adds 1."),
    schedule: Schedule,
    ends_at: InstantField.nullable(),
    collects_planned: z.int().describe("Confirmed and paid runs."),
    collects_left: z.int().describe("Confirmed runs that have not started."),
    reserved_credits: z.int().describe("Credits reserved for runs that have not started."),
    max_spend_usd: z
      .number()
      .nullable()
      .describe("Spending limit for provider charges over the analysis's lifetime, US dollars; null for no limit."),
    next_collect_at: InstantField.nullable().describe("Start of the next run; null if none is planned."),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "Analysis" });

function explainEndedSchedule({ status, schedule, roundsLeft, nextCollectAt }: AnalysisRow): string | null {
  const isEnded = status === "live" && schedule.every !== "once" && roundsLeft === 0 && nextCollectAt === null;
  return isEnded ? "The schedule has ended: no further run is planned." : null;
}

export function shapeAnalysis(row: AnalysisRow): z.input<typeof Analysis> {
  return {
    ...toSnakeCase(row),
    status_reason: row.statusReason ?? explainEndedSchedule(row),
    collects_planned: row.plannedCollects,
    collects_left: row.roundsLeft,
    reserved_credits: row.roundsLeft * row.roundCredits,
    max_spend_usd: row.spendCapMicros === null ? null : toUsd(row.spendCapMicros),
  };
}
