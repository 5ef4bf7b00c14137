import type { z } from "zod";
import type { AssetEvaluation } from "../../../tools/asset-evaluations/evaluation.ts";
import type { listAssetEvaluationScores } from "../../../tools/asset-evaluations/list-asset-evaluation-scores.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { instantShown } from "../../http/pages/page.ts";
import { fact } from "../actions/actions-page.ts";

export type ShownEvaluation = z.output<typeof AssetEvaluation>;
type ShownScore = z.output<typeof listAssetEvaluationScores.output>["data"][number];

export function evaluationAddress(workspace: { organization_id: string; id: string }, evaluationId: string): string {
  return `/evaluations/${workspace.organization_id}/${workspace.id}/${evaluationId}`;
}

/** Such as `72 of 100`; undefined without a score. */
export function scoreShown(score: number | null): string | undefined {
  return score === null ? undefined : `${Math.round(score)} of 100`;
}

export function evaluationPage(view: {
  evaluation: ShownEvaluation;
  workspaceId: string;
  scores: readonly ShownScore[];
  next: string | null;
}): Html {
  const { evaluation, scores, next } = view;
  return html` <p class="crumb"><a href="/settings?workspace=${view.workspaceId}#analyses">Settings</a></p>
    <h1>${evaluation.name}</h1>
    ${evaluation.status_reason !== null && html`<p class="caution">${evaluation.status_reason}</p>`}
    <dl class="meta">
      ${fact("Score", scoreShown(evaluation.score) ?? "None yet")}
      ${fact("Status", evaluation.status.replaceAll("_", " "))} ${fact("Category", evaluation.category)}
      ${fact("Run", String(evaluation.run))} ${fact("Finished", instantShown(evaluation.finished_at, "Not yet"))}
    </dl>
    ${
      scores.length === 0
        ? html`<div class="empty"><p>Nothing is scored yet. Reload the page in a moment.</p></div>`
        : html`<ul class="cards">
            ${scores.map(scoreCard)}
          </ul>`
    }
    ${next !== null && html`<p><a href="?cursor=${encodeURIComponent(next)}">More</a></p>`}`;
}

function scoreCard(one: ShownScore): Html {
  return html`<li class="item">
    <div class="item-head">
      <h2>${one.asset_name}</h2>
      ${markBadge(one)}
    </div>
    ${one.explanation !== null && html`<p class="lead">${one.explanation}</p>`} ${quotesOf(one)}
    <dl class="judged">
      ${one.attributes.map(
        (mark) =>
          html`<div>
            <dt>${mark.attribute} ${markBadge(mark)}</dt>
            <dd>${mark.explanation !== null && html`<p>${mark.explanation}</p>`} ${quotesOf(mark)}</dd>
          </div>`,
      )}
    </dl>
    ${one.scorer !== null && html`<p class="hint">Judged by ${one.scorer}.</p>`}
  </li>`;
}

type Mark = Pick<ShownScore, "status" | "reason" | "score" | "quotes">;

function markBadge({ status, reason, score }: Mark): Html {
  return html`<span class="badge">${scoreShown(score) ?? reason ?? status.replaceAll("_", " ")}</span>`;
}

function quotesOf({ quotes }: Mark): Html | false {
  return quotes.length > 0 && html`${quotes.map(({ text }) => html`<blockquote>${text}</blockquote>`)}`;
}
