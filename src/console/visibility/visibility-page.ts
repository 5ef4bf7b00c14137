import { barTable } from "../charts/bar-table.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { actionAddress, badges } from "../actions/actions-page.ts";
import { outside } from "../audits/words.ts";
import { dayShown } from "../../http/pages/days.ts";
import { isMove, nameShown, percent, sentenceShown } from "../shared/figures.ts";
import { analysisChoices, choiceForm, narrowingChoices, noneFits } from "../shared/filters.ts";
import { methodBadge } from "../shared/method-badge.ts";
import { visibilityAddress } from "../shared/places.ts";
import { kindShown } from "../sites/view.ts";
import { brandTable } from "./brand-table.ts";
import { collectState, failedSince } from "../shared/collect-state.ts";
import { figureCards } from "./figure-cards.ts";
import { ownBySource, sourcesSection } from "./sources.ts";
import { trendChart } from "./trend.ts";
import type { Row, VisibilityView } from "./view.ts";
import { count } from "../../../core/shared/counts.ts";

export function visibilityPage(view: VisibilityView): Html {
  const { collects, table, place, now } = view;
  return html`<div class="page-head">
      <h1>Visibility</h1>
      <span class="badges">${methodBadge(table.basis)}</span>
    </div>
    ${choices(view)} ${collectState(collects, now)} ${failedSince(collects, place)}
    ${table.basis.is_rereading && html`<p class="caution">Stored answers are being read again, so figures still change.</p>`}
    ${table.basis.answers === 0 ? noneFits("No answer of this collect fits these filters.", visibilityAddress(place), view) : figuresShown(view)}
    ${actionsSection(view)}
    <div class="halves">${sitesSection(view)} ${ownBySource(view)}</div>`;
}

function figuresShown(view: VisibilityView): Html {
  return html`<p class="moved">${movedShown(view)}</p>
    ${figureCards(view)} ${trendChart(view)} ${brandTable(view)} ${sourcesSection(view)}`;
}

/** Selectable chart periods, in collects. */
const PERIODS = ["6", "12", "20"] as const;

function choices(view: VisibilityView): Html {
  const { place, query, analysis, filters } = view;
  const period = {
    name: "period",
    label: "Period",
    options: PERIODS.map((one) => [one, `${one} collects`] as const),
  };
  return choiceForm(visibilityAddress(place), query, [...analysisChoices(view), period, ...narrowingChoices(filters)], {
    chosen: { analysis: analysis.id, period: "12" },
  });
}

/** Changes since the previous collect, or a note that there are none. */
function movedShown({ table, presence, moved: moves }: VisibilityView): Html {
  const [before] = table.basis.previous_collects.toReversed();
  if (!before) return html`There is no earlier collect to compare with.`;
  const since = html`since collect ${before.number} on ${dayShown(before.collected_to ?? before.finished_at)}`;
  const moved = moves.data.filter(({ change }) => isMove(change));
  if (moved.length > 0) return html`<strong>${moved.map(moveShown)}</strong> ${since}.`;
  const isJudged = [...table.data, ...presence.data].some(({ change }) => change?.delta != null);
  if (!isJudged) return html`Changes ${since} cannot be judged: the table says why.`;
  return html`<strong>Nothing moved</strong> ${since}: no change of presence is more than chance.`;
}

function moveShown({ brand, change }: Row, at: number): Html {
  const way = (change?.delta ?? 0) > 0 ? "up" : "down";
  const word = change?.verdict === "first_sign" ? `perhaps ${way}` : way;
  return html`${at > 0 && ", "}${nameShown(brand)} ${word}`;
}

function sitesSection({ sites, query }: VisibilityView): Html {
  const bars = sites.data.map(({ domain, brand, answers, share, competitor_type: type }) => {
    const kind = brand === null ? kindShown(type) : html`site of ${nameShown(brand)}`;
    return {
      name: html`${outside(domain)} <small>${kind}</small>`,
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
        Share of the ${count(sites.citing_answers)} answers that cite
        anything${narrowed && ", of all personas and funnel stages"}.
      </p>
    </div>
    ${
      bars.length === 0
        ? html`<p class="faint">No answer of this selection cites a page.</p>`
        : barTable({ label: "Sites with their shares", heads: ["Site", "Share"], bars, written: percent })
    }
    ${sites.total_count > bars.length && html`<p class="hint">${bars.length} of ${count(sites.total_count)} sites.</p>`}
  </section>`;
}

function actionsSection({ actions, place }: VisibilityView): Html {
  return html`<section class="panel" aria-labelledby="next">
    <div class="panel-head">
      <h2 id="next">What to do next</h2>
      <p class="hint">
        The actions with the highest scores. <a href="/actions?workspace=${place.workspace_id}">All actions</a>
      </p>
    </div>
    ${
      actions.length === 0
        ? html`<p class="faint">No open action. Actions appear when a collect ends and finds something to improve.</p>`
        : html`<ul class="next">
            ${actions.map(
              (action) =>
                html`<li>
                  <a href="${actionAddress(action)}">${sentenceShown(action.action_label)}</a>
                  <span class="number">${Math.round(action.score)}</span>
                  <p>${sentenceShown(action.description)}</p>
                  ${badges(action)}
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}
