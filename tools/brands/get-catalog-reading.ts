import { z } from "zod";
import { findBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { InstantField, workspacePath } from "../../core/shared/fields.ts";
import { ReextractionProgress } from "../../core/reading/reextraction.ts";
import { endpoint } from "../endpoint.ts";

const READING_STATUS_BY_JOB = { queued: "queued", leased: "running", succeeded: "idle", failed: "failed" } as const;

export const getCatalogReading = endpoint({
  name: "getCatalogReading",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/catalog-reading",
  group: "Brand Catalog",
  summary: "Check that metrics follow the brand catalog",
  description:
    "Check whether metrics already follow a change of brands or aliases. Only needed after such a change. idle: up to date; otherwise metrics can still change, so check again.",
  access: { workspace: "viewer" },
  input: z.strictObject(workspacePath),
  output: z
    .object({
      status: z
        .enum(["idle", "queued", "running", "failed"])
        .describe("idle: every stored answer is processed with the current catalog."),
      answers_done: z.int().describe("Answers processed so far."),
      answers_total: z.int(),
      started_at: InstantField.nullable(),
      finished_at: InstantField.nullable(),
      reason: z.string().nullable().describe("Reason for failure or retry."),
    })
    .meta({ id: "CatalogReading" }),
  async handle(_input, { tenant }) {
    const job = await findBackgroundJob(tenant, "reread_answers", tenant.workspaceId);
    const progress = ReextractionProgress.safeParse(job?.progress).data;
    return {
      status: job ? READING_STATUS_BY_JOB[job.status] : "idle",
      answers_done: progress?.answers_done ?? 0,
      answers_total: progress?.answers_total ?? 0,
      started_at: progress?.started_at ?? null,
      finished_at: job?.finishedAt ?? null,
      reason: job?.failureReason ?? null,
    };
  },
});
