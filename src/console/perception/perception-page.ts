import { html, type Html } from "../../http/pages/html.ts";
import { renderName } from "../shared/format-metrics.ts";
import { analysisChoices, filterForm, filterChoices, noMatchesNotice, type MetricsView } from "../shared/filters.ts";
import { renderMethodBadge } from "../shared/method-badge.ts";
import { newAnalysisAddress, perceptionAddress, promptsAddress, visibilityAddress } from "../shared/page-addresses.ts";
import { renderAttributesSection } from "./attributes.ts";
import { renderAwarenessSection } from "./awareness.ts";
import { renderComparisonsSection } from "./comparisons.ts";
import { renderPointsSection } from "./points.ts";
import { renderStancesSection } from "./stances.ts";
import type { PerceptionView } from "./view.ts";

export function renderPerceptionPage(view: PerceptionView): Html {
  const { perception, awareness, ids } = view;
  const { answers, is_rereading: isRereading } = awareness.basis;
  const isEmpty = answers + perception.basis.answers === 0;
  return html`<div class="page-head">
      <h1>Perception</h1>
      <span class="badges">${!isEmpty && renderMethodBadge(perception.basis)}</span>
    </div>
    ${renderFilters(view)}
    ${(isRereading || perception.basis.is_rereading) && html`<p class="caution">Brands changed, so figures are being updated. This page is final in a moment.</p>`}
    ${isEmpty ? noMatchesNotice("No answer of this run matches these filters.", perceptionAddress(ids), view) : renderSections(view)}`;
}

function renderSections(view: PerceptionView): Html {
  const { perception, awareness } = view;
  const isNamed = perception.data.some(({ answers }) => answers > 0);
  return html`${
    isNamed
      ? html`${renderStancesSection(view)} ${renderPointsSection(view)}`
      : html`<section class="panel" aria-labelledby="stances">
          <h2 id="stances">Stance</h2>
          <p class="unmeasured">No answer of this selection names a compared brand.</p>
        </section>`
  }
  ${renderComparisonsSection(view)} ${renderAttributesSection(view)}
  ${awareness.data.length > 0 && renderAwarenessSection(view)}`;
}

function renderFilters(view: MetricsView): Html {
  const { ids, query, analysis, filters } = view;
  const narrowing = filterChoices(filters, ["source", "persona", "country"]);
  return filterForm(perceptionAddress(ids), query, [...analysisChoices(view), ...narrowing], {
    defaults: { analysis: analysis.id },
  });
}

/** Shown instead of metrics for analyses that do not measure perception. */
export function renderUnavailablePage(view: MetricsView): Html {
  const { analyses, analysis, ids } = view;
  const others = analyses.filter(({ type, status }) => type === "brand_analysis" && status !== "archived");
  return html`<h1>Perception</h1>
    ${renderFilters(view)}
    <div class="empty">
      <p>
        ${renderName(analysis.name)} sends what people search for, and measures
        <a href="${visibilityAddress(ids)}?analysis=${analysis.id}">visibility</a> and
        <a href="${promptsAddress(ids)}?analysis=${analysis.id}">ranks</a>. A brand analysis measures what models say of
        brands.
      </p>
      ${
        others.length === 0
          ? html`<p>There is none yet. You see every prompt and the price before you confirm.</p>
              <a class="button primary" href="${newAnalysisAddress(ids, "brand/what")}">New brand analysis</a>`
          : html`<ul class="plain">
              ${others.map(
                ({ id, name }) =>
                  html`<li><a href="${perceptionAddress(ids)}?analysis=${id}">${renderName(name)}</a></li>`,
              )}
            </ul>`
      }
    </div>`;
}
