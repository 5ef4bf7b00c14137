import { html, type Html } from "../../http/pages/html.ts";
import {
  renderChange,
  renderMetric,
  renderInterval,
  formatMean,
  renderName,
  formatPercent,
} from "../shared/format-metrics.ts";
import type { VisibilityView } from "./view.ts";
import { formatInteger } from "../../../core/shared/format-count.ts";

export function renderMetricCards({ analysis, presence, topThree, shareOfVoice, citations }: VisibilityView): Html {
  const [brand, topThreeRow, voiceRow, citationRow] = [presence, topThree, shareOfVoice, citations].map(({ data }) =>
    data.find((row) => row.brand_id === analysis.brand_id),
  );
  if (!brand) return html`<p class="caution">No answers match this selection.</p>`;
  return html`<section aria-labelledby="own" class="own-figures">
    <h2 id="own" class="unseen">Figures of ${renderName(brand.brand)}</h2>
    <dl class="figures">
      ${renderMetricCard("Presence", {
        value: renderMetric(brand.presence_rate, formatPercent),
        interval: renderInterval(brand.ci_low, brand.ci_high),
        basisNote: html`in ${formatInteger(brand.occurrences)} of ${formatInteger(brand.answers)} answers to
        ${formatInteger(brand.prompts)} prompts`,
        changeNote: renderChange(brand.change),
      })}
      ${renderMetricCard("Average rank", {
        value: renderMetric(brand.average_rank, formatMean),
        interval: renderInterval(brand.rank_ci_low, brand.rank_ci_high, formatMean),
        basisNote: html`top 3 in
        ${renderMetric(topThreeRow?.top_3_rate, formatPercent)}${renderInterval(topThreeRow?.ci_low, topThreeRow?.ci_high) && html` (${renderInterval(topThreeRow?.ci_low, topThreeRow?.ci_high)})`}`,
        changeNote: html`top 3: ${renderChange(topThreeRow?.change)}`,
      })}
      ${renderMetricCard("Share of voice", {
        value: renderMetric(voiceRow?.share_of_voice, formatPercent),
        interval: renderInterval(voiceRow?.ci_low, voiceRow?.ci_high),
        basisNote: html`among ${formatInteger(shareOfVoice.basis.brands)} tracked brands`,
        changeNote: renderChange(voiceRow?.change),
      })}
      ${renderMetricCard("Your pages cited", {
        value: renderMetric(citationRow?.citation_rate, formatPercent),
        interval: renderInterval(citationRow?.ci_low, citationRow?.ci_high),
        basisNote: html`${formatInteger(brand.citations)} of ${formatInteger(brand.answers)} answers cite your pages`,
        changeNote: renderChange(citationRow?.change),
      })}
    </dl>
  </section>`;
}

interface MetricCard {
  value: Html;
  interval: Html | undefined;
  basisNote: Html;
  changeNote: Html;
}

function renderMetricCard(name: string, { value, interval: sure, basisNote, changeNote }: MetricCard): Html {
  return html`<div class="figure-card">
    <dt>${name}</dt>
    <dd class="figure-value">${value}</dd>
    <dd class="figure-interval">
      ${sure ? html`<span class="unseen">95 % interval:</span> ${sure}` : html`<span class="faint">no interval: too few prompts</span>`}
    </dd>
    <dd class="hint">${basisNote}</dd>
    <dd class="figure-change">${changeNote}</dd>
  </div>`;
}
