import { z } from "zod";
import type { EvaluationRow } from "../../db/assets/asset-evaluations.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { ASSET_CLASSES } from "../../core/assets/assets.ts";
import { EVALUATION_STATUSES } from "../../core/assets/evaluation.ts";
import { Id, InstantField, workspacePath } from "../../core/shared/fields.ts";

export const evaluationPath = {
  ...workspacePath,
  evaluation_id: Id.describe("Asset evaluation id, from list_asset_evaluations."),
};

export const AssetEvaluation = z
  .object({
    id: Id,
    name: z.string(),
    status: z.enum(EVALUATION_STATUSES),
    status_reason: z.string().nullable().describe("Reason why some assets were not scored."),
    asset_class: z.enum(ASSET_CLASSES),
    category: z.string(),
    attributes: z.array(z.string()),
    brand_id: Id.nullable(),
    language: z.string(),
    run: z.int().describe("Number of the run described by the following fields."),
    planned: z.int().describe("Assets."),
    judged: z.int().describe("Scored assets; counted when the run completes."),
    score: z.number().nullable().describe("Average score of the assets, 0 to 100."),
    reserved_credits: z.int(),
    cost_credits: z.int().describe("Credits spent on this run."),
    created_at: InstantField,
    started_at: InstantField.nullable(),
    finished_at: InstantField.nullable(),
    updated_at: InstantField,
  })
  .meta({ id: "AssetEvaluation" });

export function shapeEvaluation(row: EvaluationRow): z.input<typeof AssetEvaluation> {
  return toSnakeCase(row);
}
