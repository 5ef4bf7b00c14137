import { ANALYSIS_SORTS, ANALYSIS_STATUSES, ANALYSIS_TYPES } from "../../../core/analyses/analysis.ts";
import { describeSchedule } from "../../../core/analyses/schedule.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { instantShown } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { figure, nameShown } from "../shared/figures.ts";
import { timeLeft } from "../shared/collect-state.ts";
import { choiceForm, cursorPager, type ShownAnalysis, type ShownCollect } from "../shared/filters.ts";
import { sortHeads } from "../shared/order.ts";
import {
  analysesAddress,
  analysisAddress,
  newAnalysisAddress,
  queryWith,
  type WorkspacePlace,
} from "../shared/places.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { kindOf, statusBadge, TYPE_NAMES } from "./words.ts";
import { count, counted } from "../../../core/shared/counts.ts";

/** An analysis with its newest collects, and the website of an audit. */
interface ListedAnalysis {
  analysis: ShownAnalysis;
  website: unknown;
  collects: readonly ShownCollect[];
}

export interface AnalysisListView {
  place: WorkspacePlace;
  query: URLSearchParams;
  listed: readonly ListedAnalysis[];
  next: string | null;
  now: Instant;
  mayWrite: boolean;
}

export function analysisListPage(view: AnalysisListView): Html {
  const { place, query, listed, next, mayWrite } = view;
  const path = analysesAddress(place);
  return html`<div class="page-head">
      <h1>Analyses</h1>
      ${mayWrite && html`<a class="button primary" href="${newAnalysisAddress(place)}">New analysis</a>`}
    </div>
    ${choiceForm(
      path,
      query,
      [
        { name: "type", label: "Type", any: "All", options: ANALYSIS_TYPES.map((type) => [type, TYPE_NAMES[type]]) },
        { name: "status", label: "Status", any: "All", options: ANALYSIS_STATUSES.map((one) => [one, one]) },
      ],
      { chosen: {} },
    )}
    ${tablePanel({
      id: "listed",
      title: "All analyses",
      hint: "Costs are in credits.",
      csv: { href: `${path}/analyses.csv${queryWith(query, { cursor: undefined })}`, rows: listed.length },
      table: listed.length === 0 ? undefined : table(view),
      empty: none(view),
      pager: cursorPager(path, query, next),
      note: listed.length === 0 ? undefined : restsOn(view),
    })}`;
}

function restsOn({ listed, next, query }: AnalysisListView): Html {
  const isNarrowed = query.get("type") || query.get("status");
  const more = next === null ? "" : " of this page; the download has all";
  return html`<p class="hint">
    n = ${counted(listed.length, "analysis", "analyses")}${more}${isNarrowed && " · others are left out by the filters"}
  </p>`;
}

function none({ place, query, mayWrite }: AnalysisListView): Html {
  if (query.get("type") || query.get("status")) {
    return html`<div class="empty">
      <p>No analysis is of this type and status.</p>
      <a class="button secondary" href="${analysesAddress(place)}">All analyses</a>
    </div>`;
  }
  return html`<div class="empty">
    <p>No analysis yet. Set one up: its price is shown before anything is spent.</p>
    ${
      mayWrite
        ? html`<a class="button secondary" href="${newAnalysisAddress(place)}">New analysis</a>`
        : html`<p class="hint">An editor of the workspace can.</p>`
    }
  </div>`;
}

const USUAL = { sort: "created_at", direction: "asc" } as const;

function table({ listed, place, query, now }: AnalysisListView): Html {
  const head = sortHeads({ path: analysesAddress(place), query, id: "listed", sorts: ANALYSIS_SORTS, usual: USUAL });
  return scrollTable({
    label: "Analyses of this workspace",
    className: "sticky fitted",
    columns: [
      head("name", "Analysis", "text"),
      head("status", "Status", "text"),
      "Answers",
      "Schedule",
      "Last collect",
      head("next_collect_at", "Next collect", "text"),
      { number: "Cost of the last" },
      { number: "Reserved" },
      head("created_at", "Created", "text"),
    ],
    rows: listed.map((one) => row(one, now)),
  });
}

function credits(value: number | null | undefined): Html {
  return html`<td class="number">${figure(value, count)}</td>`;
}

function row({ analysis, website, collects }: ListedAnalysis, now: Instant): Html {
  const { id, name, type, status, schedule, next_collect_at: next, reserved_credits: reserved } = analysis;
  const [last] = collects;
  return html`<tr>
    <th scope="row">
      <a href="${analysisAddress(analysis, id)}">${nameShown(name)}</a><small>${TYPE_NAMES[type]}</small>
    </th>
    <td>${statusBadge(status)}</td>
    <td>${kindOf({ type, website }, collects) ?? html`<span class="faint">none yet</span>`}</td>
    <td>${describeSchedule(schedule)}</td>
    <td>${lastShown(last, now)}</td>
    <td>${instantShown(next, "none", "day")}</td>
    ${credits(last?.cost.spent_credits)} ${credits(reserved)}
    <td class="when">${analysis.created_at.slice(0, 10)}</td>
  </tr>`;
}

function lastShown(last: ShownCollect | undefined, now: Instant): Html {
  if (!last) return html`<span class="faint">none yet</span>`;
  const { number, status, progress, finished_at: at } = last;
  const left = progress.eta === null ? "" : `, ${timeLeft(progress.eta, now)}`;
  if (at === null)
    return html`${number}: ${count(progress.done)} of ${count(progress.planned)}<small>${status}${left}</small>`;
  return html`${instantShown(at, "", "day")}<small>${number}: ${status}</small>`;
}

/** Values as in the API response. */
export const ANALYSIS_COLUMNS = [
  "id",
  "name",
  "type",
  "status",
  "status_reason",
  "collects_planned",
  "collects_left",
  "reserved_credits",
  "max_spend_usd",
  "next_collect_at",
  "ends_at",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof ShownAnalysis)[];
