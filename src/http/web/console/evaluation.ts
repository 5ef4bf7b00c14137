import type { Router } from "express";
import { getAssetEvaluation } from "../../../../tools/asset-evaluations/get-asset-evaluation.ts";
import { listAssetEvaluationScores } from "../../../../tools/asset-evaluations/list-asset-evaluation-scores.ts";
import { consolePage } from "../pages/console.ts";
import { evaluationPage } from "../pages/evaluation.ts";
import { pageWithForms, type Answer, type Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { invokeAs, queryOf, type Web } from "../visit.ts";

/** The page of one evaluation: how each page or text scored, and why. */
export function evaluationRouter(web: Web): Router {
  const path = "/evaluations/:organization_id/:workspace_id/:evaluation_id";
  return pageWithForms(web, path, (visit) => showEvaluation(visit, web), {});
}

async function showEvaluation({ visitor, request, response }: Visit, { deps }: Web): Promise<void> {
  const path = { ...request.params };
  const evaluation = (await invokeAs(visitor, { endpoint: getAssetEvaluation, input: path, response }, deps)) as Answer<
    typeof getAssetEvaluation
  >;
  const cursor = queryOf(request.originalUrl).get("cursor");
  const input = { ...path, limit: 20, ...(cursor === null ? {} : { cursor }) };
  const scores = (await invokeAs(visitor, { endpoint: listAssetEvaluationScores, input, response }, deps)) as Answer<
    typeof listAssetEvaluationScores
  >;
  const content = evaluationPage({
    evaluation,
    workspaceId: String(request.params["workspace_id"]),
    scores: scores.data,
    next: scores.next_cursor,
  });
  sendPage(response, { title: evaluation.name, body: consolePage("settings", visitor, content) });
}
