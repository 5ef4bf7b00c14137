import { renderBarTable } from "../charts/bar-table.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { actionAddress, renderActionBadges } from "../actions/actions-page.ts";
import { renderUntrustedText } from "../audits/labels.ts";
import { formatDay } from "../../http/pages/format-day.ts";
import { isLikelyChange, renderName, formatPercent, renderSentence } from "../shared/format-metrics.ts";
import { analysisChoices, filterForm, filterChoices, noMatchesNotice } from "../shared/filters.ts";
import { renderMethodBadge } from "../shared/method-badge.ts";
import { visibilityAddress } from "../shared/page-addresses.ts";
import { formatSiteType } from "../sites/view.ts";
import { renderBrandTable } from "./brand-table.ts";
import { renderCollectProgress, renderFailureNotice } from "../shared/collect-progress.ts";
import { renderMetricCards } from "./metric-cards.ts";
import { renderPresenceSlopes, renderSourcesSection } from "./sources.ts";
import { renderTrendChart } from "./trend.ts";
import type { BrandRow, VisibilityView } from "./view.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export function renderVisibilityPage(view: VisibilityView): Html {
  const { collects, table, ids, now } = view;
  return html`<div class="page-head">
      <h1>Visibility</h1>
      <span class="badges">${renderMethodBadge(table.basis)}</span>
    </div>
    ${renderFilters(view)} ${renderCollectProgress(collects, now)} ${renderFailureNotice(collects, ids)}
    ${table.basis.is_rereading && html`<p class="caution">Brands changed, so figures are being updated. This page is final in a moment.</p>`}
    ${table.basis.answers === 0 ? noMatchesNotice("No answer of this run matches these filters.", visibilityAddress(ids), view) : renderMetrics(view)}
    ${renderActionsSection(view)}
    <div class="halves">${renderSitesSection(view)} ${renderPresenceSlopes(view)}</div>`;
}

function renderMetrics(view: VisibilityView): Html {
  return html`<p class="moved">${renderMoves(view)}</p>
    ${renderMetricCards(view)} ${renderTrendChart(view)} ${renderBrandTable(view)} ${renderSourcesSection(view)}`;
}

/** Selectable chart periods, in collects. */
const PERIOD_OPTIONS = ["6", "12", "20"] as const;

function renderFilters(view: VisibilityView): Html {
  const { ids, query, analysis, filters } = view;
  const period = {
    name: "period",
    label: "Period",
    options: PERIOD_OPTIONS.map((one) => [one, `${one} runs`] as const),
  };
  return filterForm(visibilityAddress(ids), query, [...analysisChoices(view), period, ...filterChoices(filters)], {
    defaults: { analysis: analysis.id, period: "12" },
  });
}

function renderMoves({ table, presence, movedBrands: moves }: VisibilityView): Html {
  const [before] = table.basis.previous_collects.toReversed();
  if (!before) return html`There is no earlier run to compare with.`;
  const since = html`since run ${before.number} on ${formatDay(before.collected_to ?? before.finished_at)}`;
  const moved = moves.data.filter(({ change }) => isLikelyChange(change));
  if (moved.length > 0) return html`<strong>${moved.map(renderMove)}</strong> ${since}.`;
  const isJudged = [...table.data, ...presence.data].some(({ change }) => change?.delta != null);
  if (!isJudged) return html`Changes ${since} cannot be judged. Brands shows the reason.`;
  return html`<strong>No significant change</strong> of presence ${since}.`;
}

function renderMove({ brand, change }: BrandRow, at: number): Html {
  const direction = (change?.delta ?? 0) > 0 ? "up" : "down";
  const word = change?.verdict === "first_sign" ? `${direction} (early signal)` : direction;
  return html`${at > 0 && ", "}${renderName(brand)} ${word}`;
}

function renderSitesSection({ sites, query }: VisibilityView): Html {
  const bars = sites.data.map(({ domain, brand, answers, share, competitor_type: type }) => {
    const kind = brand === null ? formatSiteType(type) : html`site of ${renderName(brand)}`;
    return {
      name: html`${renderUntrustedText(domain)} <small>${kind}</small>`,
      value: share,
      note: `${answers} answers`,
      isOwn: false,
    };
  });
  const narrowed = ["persona", "stage"].some((name) => query.get(name));
  return html`<section class="panel" aria-labelledby="sites">
    <div class="panel-head">
      <h2 id="sites">Most cited sites</h2>
      <p class="hint">
        Share of the ${formatInteger(sites.citing_answers)} answers with
        citations${narrowed && ", of all personas and funnel stages"}.
      </p>
    </div>
    ${
      bars.length === 0
        ? html`<p class="faint">No answer of this selection cites a page.</p>`
        : renderBarTable({
            label: "Sites with their shares",
            headers: ["Site", "Share"],
            bars,
            formatValue: formatPercent,
          })
    }
    ${sites.total_count > bars.length && html`<p class="hint">${bars.length} of ${formatInteger(sites.total_count)} sites.</p>`}
  </section>`;
}

function renderActionsSection({ actions, ids }: VisibilityView): Html {
  return html`<section class="panel" aria-labelledby="next">
    <div class="panel-head">
      <h2 id="next">What to do next</h2>
      <p class="hint">
        Actions with the highest scores. <a href="/actions?workspace=${ids.workspace_id}">All actions</a>
      </p>
    </div>
    ${
      actions.length === 0
        ? html`<p class="faint">No open action. Actions appear when a run completes and finds something to improve.</p>`
        : html`<ul class="next">
            ${actions.map(
              (action) =>
                html`<li>
                  <a href="${actionAddress(action)}">${renderSentence(action.action_label)}</a>
                  <span class="number">${Math.round(action.score)}</span>
                  <p>${renderSentence(action.description)}</p>
                  ${renderActionBadges(action)}
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}
