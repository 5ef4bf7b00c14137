import { html, type Html } from "../../http/pages/html.ts";
import { changeShown, figure, interval, mean, nameShown, percent } from "../shared/figures.ts";
import type { VisibilityView } from "./view.ts";
import { count } from "../../../core/shared/counts.ts";

/** Metrics of the own brand with interval, basis and change. */
export function figureCards({ analysis, presence, topThree, voice, citations }: VisibilityView): Html {
  const [own, ranked, heard, cited] = [presence, topThree, voice, citations].map(({ data }) =>
    data.find((row) => row.brand_id === analysis.brand_id),
  );
  if (!own) return html`<p class="caution">No answer of this selection was counted.</p>`;
  return html`<section aria-labelledby="own" class="own-figures">
    <h2 id="own" class="unseen">Figures of ${nameShown(own.brand)}</h2>
    <dl class="figures">
      ${card("Presence", {
        value: figure(own.presence_rate, percent),
        sure: interval(own.ci_low, own.ci_high),
        rests: html`in ${count(own.occurrences)} of ${count(own.answers)} answers to ${count(own.prompts)} prompts`,
        change: changeShown(own.change),
      })}
      ${card("Average rank", {
        value: figure(own.average_rank, mean),
        sure: interval(own.rank_ci_low, own.rank_ci_high, mean),
        rests: html`top 3 in
        ${figure(ranked?.top_3_rate, percent)}${interval(ranked?.ci_low, ranked?.ci_high) && html` (${interval(ranked?.ci_low, ranked?.ci_high)})`}`,
        change: html`top 3: ${changeShown(ranked?.change)}`,
      })}
      ${card("Share of voice", {
        value: figure(heard?.share_of_voice, percent),
        sure: interval(heard?.ci_low, heard?.ci_high),
        rests: html`among ${count(voice.basis.brands)} brands of the catalog`,
        change: changeShown(heard?.change),
      })}
      ${card("Own citations", {
        value: figure(cited?.citation_rate, percent),
        sure: interval(cited?.ci_low, cited?.ci_high),
        rests: html`${count(own.citations)} of ${count(own.answers)} answers cite an own page`,
        change: changeShown(cited?.change),
      })}
    </dl>
  </section>`;
}

interface Card {
  value: Html;
  sure: Html | undefined;
  rests: Html;
  change: Html;
}

function card(name: string, { value, sure, rests, change }: Card): Html {
  return html`<div class="figure-card">
    <dt>${name}</dt>
    <dd class="figure-value">${value}</dd>
    <dd class="figure-interval">
      ${sure ? html`<span class="unseen">95 % interval:</span> ${sure}` : html`<span class="faint">no interval: too few prompts</span>`}
    </dd>
    <dd class="hint">${rests}</dd>
    <dd class="figure-change">${change}</dd>
  </div>`;
}
