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

/** Metrics of the own brand with interval, basis and change. */
export function metricCards({ analysis, presence, topThree, voice, citations }: VisibilityView): Html {
  const [own, topThreeRow, voiceRow, citationRow] = [presence, topThree, voice, citations].map(({ data }) =>
    data.find((row) => row.brand_id === analysis.brand_id),
  );
  if (!own) return html`<p class="caution">No answers match this selection.</p>`;
  return html`<section aria-labelledby="own" class="own-figures">
    <h2 id="own" class="unseen">Figures of ${renderName(own.brand)}</h2>
    <dl class="figures">
      ${metricCard("Presence", {
        value: renderMetric(own.presence_rate, formatPercent),
        interval: renderInterval(own.ci_low, own.ci_high),
        basis: html`in ${formatInteger(own.occurrences)} of ${formatInteger(own.answers)} answers to
        ${formatInteger(own.prompts)} prompts`,
        change: renderChange(own.change),
      })}
      ${metricCard("Average rank", {
        value: renderMetric(own.average_rank, formatMean),
        interval: renderInterval(own.rank_ci_low, own.rank_ci_high, formatMean),
        basis: html`top 3 in
        ${renderMetric(topThreeRow?.top_3_rate, formatPercent)}${renderInterval(topThreeRow?.ci_low, topThreeRow?.ci_high) && html` (${renderInterval(topThreeRow?.ci_low, topThreeRow?.ci_high)})`}`,
        change: html`top 3: ${renderChange(topThreeRow?.change)}`,
      })}
      ${metricCard("Share of voice", {
        value: renderMetric(voiceRow?.share_of_voice, formatPercent),
        interval: renderInterval(voiceRow?.ci_low, voiceRow?.ci_high),
        basis: html`among ${formatInteger(voice.basis.brands)} tracked brands`,
        change: renderChange(voiceRow?.change),
      })}
      ${metricCard("Your pages cited", {
        value: renderMetric(citationRow?.citation_rate, formatPercent),
        interval: renderInterval(citationRow?.ci_low, citationRow?.ci_high),
        basis: html`${formatInteger(own.citations)} of ${formatInteger(own.answers)} answers cite your pages`,
        change: renderChange(citationRow?.change),
      })}
    </dl>
  </section>`;
}

interface MetricCard {
  value: Html;
  interval: Html | undefined;
  basis: Html;
  change: Html;
}

function metricCard(name: string, { value, interval: sure, basis, change }: MetricCard): Html {
  return html`<div class="figure-card">
    <dt>${name}</dt>
    <dd class="figure-value">${value}</dd>
    <dd class="figure-interval">
      ${sure ? html`<span class="unseen">95 % interval:</span> ${sure}` : html`<span class="faint">no interval: too few prompts</span>`}
    </dd>
    <dd class="hint">${basis}</dd>
    <dd class="figure-change">${change}</dd>
  </div>`;
}
