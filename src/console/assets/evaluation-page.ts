import type { z } from "zod";
import type { AssetEvaluation } from "../../../tools/asset-evaluations/evaluation.ts";
import type { listAssetEvaluationScores } from "../../../tools/asset-evaluations/list-asset-evaluation-scores.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { renderInstant } from "../../http/pages/page.ts";
import { definitionItem } from "../actions/actions-page.ts";

export type ShownEvaluation = z.output<typeof AssetEvaluation>;
type ShownScore = z.output<typeof listAssetEvaluationScores.output>["data"][number];

export function buildEvaluationAddress(
  workspace: { organization_id: string; id: string },
  evaluationId: string,
): string {
  return `/evaluations/${workspace.organization_id}/${workspace.id}/${evaluationId}`;
}

export function formatScore(score: number | null): string | undefined {
  return score === null ? undefined : `${Math.round(score)} of 100`;
}

export function renderEvaluationPage(view: {
  evaluation: ShownEvaluation;
  workspaceId: string;
  scores: readonly ShownScore[];
  nextCursor: string | null;
}): Html {
  const { evaluation, scores, nextCursor } = view;
  return html` <p class="crumb"><a href="/settings?workspace=${view.workspaceId}#analyses">Settings</a></p>
    <h1>${evaluation.name}</h1>
    ${evaluation.status_reason !== null && html`<p class="caution">${evaluation.status_reason}</p>`}
    <dl class="meta">
      ${definitionItem("Score", formatScore(evaluation.score) ?? "None yet")}
      ${definitionItem("Status", evaluation.status.replaceAll("_", " "))}
      ${definitionItem("Category", evaluation.category)} ${definitionItem("Run", String(evaluation.run))}
      ${definitionItem("Finished", renderInstant(evaluation.finished_at, "Not yet"))}
    </dl>
    ${
      scores.length === 0
        ? html`<div class="empty"><p>Nothing is scored yet. Reload the page in a moment.</p></div>`
        : html`<ul class="cards">
            ${scores.map(renderScoreCard)}
          </ul>`
    }
    ${nextCursor !== null && html`<p><a href="?cursor=${encodeURIComponent(nextCursor)}">More</a></p>`}`;
}

function renderScoreCard(score: ShownScore): Html {
  return html`<li class="item">
    <div class="item-head">
      <h2>${score.asset_name}</h2>
      ${renderScoreBadge(score)}
    </div>
    ${score.explanation !== null && html`<p class="lead">${score.explanation}</p>`} ${renderQuotes(score)}
    <dl class="judged">
      ${score.attributes.map(
        (mark) =>
          html`<div>
            <dt>${mark.attribute} ${renderScoreBadge(mark)}</dt>
            <dd>${mark.explanation !== null && html`<p>${mark.explanation}</p>`} ${renderQuotes(mark)}</dd>
          </div>`,
      )}
    </dl>
    ${score.scorer !== null && html`<p class="hint">Judged by ${score.scorer}.</p>`}
  </li>`;
}

type ScoredItem = Pick<ShownScore, "status" | "reason" | "score" | "quotes">;

function renderScoreBadge({ status, reason, score }: ScoredItem): Html {
  return html`<span class="badge">${formatScore(score) ?? reason ?? status.replaceAll("_", " ")}</span>`;
}

function renderQuotes({ quotes }: ScoredItem): Html | false {
  return quotes.length > 0 && html`${quotes.map(({ text }) => html`<blockquote>${text}</blockquote>`)}`;
}
