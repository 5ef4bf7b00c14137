import { getAssetEvaluation } from "../../../tools/asset-evaluations/get-asset-evaluation.ts";
import { listAssetEvaluationScores } from "../../../tools/asset-evaluations/list-asset-evaluation-scores.ts";
import { renderEvaluationPage } from "./evaluation-page.ts";
import { pageWithForms } from "../shared/page-with-forms.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { showPage } from "../shared/show-page.ts";
import type { Route } from "../../http/pages/routes.ts";

export const evaluationRoutes: readonly Route[] = pageWithForms(
  "/evaluations/:organization_id/:workspace_id/:evaluation_id",
  showEvaluation,
);

async function showEvaluation(visit: Visit): Promise<void> {
  const { call, request } = visit;
  const path = { ...request.params };
  const evaluation = await call(getAssetEvaluation, path);
  const cursor = visit.query.get("cursor");
  const scores = await call(listAssetEvaluationScores, { ...path, limit: 20, ...(cursor === null ? {} : { cursor }) });
  const content = renderEvaluationPage({
    evaluation,
    workspaceId: String(request.params["workspace_id"]),
    scores: scores.data,
    nextCursor: scores.next_cursor,
  });
  showPage(visit, { title: evaluation.name, section: "settings", content });
}
