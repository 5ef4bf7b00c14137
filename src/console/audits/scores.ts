import type { AuditArea } from "../../../core/audits/check.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { AREA_NAMES } from "./labels.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

interface AreaScore {
  area: AuditArea;
  score: number | null;
  checks: number;
  previous?: number | null;
  change?: number | null;
}

export function renderScoreCards(scores: readonly AreaScore[], before: { number: number } | null = null): Html {
  return html`<ul class="scores">
    ${scores.map(
      (area) =>
        html`<li class="item">
          <h3>${AREA_NAMES[area.area].name}</h3>
          <p class="hint">${AREA_NAMES[area.area].question}</p>
          ${renderScore(area.score)} ${before && html`<p class="plain">${describeChange(area, before)}</p>`}
          <p class="hint">
            ${area.score === null ? "Nothing of it could be checked" : `Rests on ${formatCount(area.checks, "check")}`}
          </p>
        </li>`,
    )}
  </ul>`;
}

function renderScore(score: number | null): Html {
  if (score === null) return html`<p class="figure"><strong>No score</strong></p>`;
  return html`<p class="figure"><strong>${score}</strong> of 100</p>
    <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect width="${score}" height="6" />
    </svg>`;
}

function describeChange({ previous = null, change = null }: AreaScore, { number }: { number: number }): string {
  if (previous === null || change === null) return `Not comparable with run ${number}`;
  if (change === 0) return `As in run ${number}`;
  return `${change > 0 ? "Up" : "Down"} ${Math.abs(change)} from ${previous} in run ${number}`;
}
