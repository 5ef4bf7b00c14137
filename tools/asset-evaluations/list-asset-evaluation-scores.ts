import { z } from "zod";
import { findEvaluation } from "../../db/assets/asset-evaluations.ts";
import { listScores } from "../../db/assets/asset-scores.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { ASSET_SCORE_STATUSES } from "../../core/assets/evaluation.ts";
import type { Quote } from "../../core/assets/scorer.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { Id, InstantField, listSchema, listQuery, outsideTextSchema } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { evaluationPath } from "./evaluation.ts";

const QuotesField = z
  .array(z.object({ text: outsideTextSchema(), start: z.int(), end: z.int() }))
  .describe("Position of the quote in the asset's text: UTF-16 offsets, end exclusive.");

const scoreFields = {
  status: z.enum(ASSET_SCORE_STATUSES),
  reason: z.string().nullable().describe("Reason why there is no score."),
  score: z.int().nullable().describe("0 to 100."),
  explanation: outsideTextSchema().nullable(),
  quotes: QuotesField,
};

const AssetScoreSchema = z
  .object({
    asset_id: Id,
    asset_name: outsideTextSchema(),
    ...scoreFields,
    attributes: z.array(z.object({ attribute: z.string(), ...scoreFields })),
    scorer: z.string().nullable().describe("Name of the scorer."),
    dropped_quotes: z.int().describe("Quotes of the model that are not in the text and were left out."),
    finished_at: InstantField.nullable(),
  })
  .meta({ id: "AssetScore" });

export const listAssetEvaluationScores = endpoint({
  name: "listAssetEvaluationScores",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations/:evaluation_id/scores",
  group: "Asset Evaluations",
  summary: "List the scores of an asset evaluation",
  description:
    "See how well each asset (an uploaded page, text or image) scores, overall and per attribute, and where it is weak, with explanations and quotes. For your website use get_audit.",
  access: { workspace: "viewer" },
  whenEmpty: "No asset is scored yet. get_asset_evaluation shows the progress.",
  input: z.strictObject({
    ...evaluationPath,
    run: z.int().min(1).optional().describe("Number of an earlier run; default: the last run."),
    ...listQuery,
  }),
  output: listSchema(AssetScoreSchema),
  async handle(input, { tenant }) {
    const { evaluation_id: evaluationId } = input;
    const evaluation = requireFound(await findEvaluation(tenant, evaluationId), "asset evaluation");
    const run = input.run ?? evaluation.run;
    const asked = { ...input, run };
    const rows = await listScores(tenant, { evaluationId, run }, parsePagination("asset-scores", asked));
    return toPage("asset-scores", asked, rows, { key: (row) => [row.position], row: shapeScore });
  },
});

type ScoreRow = Awaited<ReturnType<typeof listScores>>[number];

function shapeScore(row: ScoreRow): z.input<typeof AssetScoreSchema> {
  return {
    ...toSnakeCase(row),
    attributes: row.attributes.map((attribute) => ({ ...UNJUDGED_SCORE, ...attribute })),
  };
}

const UNJUDGED_SCORE = { reason: null, score: null, explanation: null, quotes: [] as Quote[] };
