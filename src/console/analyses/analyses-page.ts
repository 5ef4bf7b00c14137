import { ANALYSIS_SORTS, ANALYSIS_STATUSES, ANALYSIS_TYPES } from "../../../core/analyses/analysis.ts";
import { describeSchedule } from "../../../core/analyses/schedule.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { renderInstant } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderMetric, renderName } from "../shared/format-metrics.ts";
import { formatTimeLeft } from "../shared/collect-progress.ts";
import { filterForm, cursorPager, type ShownAnalysis, type ShownCollect } from "../shared/filters.ts";
import { sortableHeaders } from "../shared/table-sort.ts";
import {
  analysesAddress,
  analysisAddress,
  newAnalysisAddress,
  updateQuery,
  type WorkspaceIds,
} from "../shared/page-addresses.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { renderAnalysisOriginBadge, renderStatusBadge, TYPE_NAMES } from "./labels.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

/** An analysis with its newest collects, and the website of an audit. */
interface ListedAnalysis {
  analysis: ShownAnalysis;
  website: unknown;
  collects: readonly ShownCollect[];
}

export interface AnalysisListView {
  ids: WorkspaceIds;
  query: URLSearchParams;
  items: readonly ListedAnalysis[];
  nextCursor: string | null;
  now: Instant;
  canEdit: boolean;
}

export function renderAnalysisListPage(view: AnalysisListView): Html {
  const { ids, query, items, nextCursor, canEdit } = view;
  const path = analysesAddress(ids);
  return html`<div class="page-head">
      <h1>Analyses</h1>
      ${canEdit && html`<a class="button primary" href="${newAnalysisAddress(ids)}">New analysis</a>`}
    </div>
    ${filterForm(
      path,
      query,
      [
        { name: "type", label: "Type", any: "All", options: ANALYSIS_TYPES.map((type) => [type, TYPE_NAMES[type]]) },
        { name: "status", label: "Status", any: "All", options: ANALYSIS_STATUSES.map((one) => [one, one]) },
      ],
      { defaults: {} },
    )}
    ${tablePanel({
      id: "listed",
      title: "All analyses",
      hint: "Costs are in credits.",
      csv: { href: `${path}/analyses.csv${updateQuery(query, { cursor: undefined })}`, rowCount: items.length },
      table: items.length === 0 ? undefined : renderAnalysisTable(view),
      empty: renderEmptyState(view),
      pager: cursorPager(path, query, nextCursor),
      note: items.length === 0 ? undefined : renderCountNote(view),
    })}`;
}

function renderCountNote({ items, nextCursor, query }: AnalysisListView): Html {
  const isNarrowed = query.get("type") || query.get("status");
  const more = nextCursor === null ? "" : " of this page; the download has all";
  return html`<p class="hint">
    ${formatCount(items.length, "analysis", "analyses")}${more}${isNarrowed && " · filtered"}
  </p>`;
}

function renderEmptyState({ ids, query, canEdit }: AnalysisListView): Html {
  if (query.get("type") || query.get("status")) {
    return html`<div class="empty">
      <p>No analysis has this type and status.</p>
      <a class="button secondary" href="${analysesAddress(ids)}">All analyses</a>
    </div>`;
  }
  return html`<div class="empty">
    <p>No analysis yet. Set one up: you see the price before anything is spent.</p>
    ${
      canEdit
        ? html`<a class="button secondary" href="${newAnalysisAddress(ids)}">New analysis</a>`
        : html`<p class="hint">An editor of the workspace can do this.</p>`
    }
  </div>`;
}

const DEFAULT_ORDER = { sort: "created_at", direction: "asc" } as const;

function renderAnalysisTable({ items, ids, query, now }: AnalysisListView): Html {
  const head = sortableHeaders({
    path: analysesAddress(ids),
    query,
    id: "listed",
    sorts: ANALYSIS_SORTS,
    usual: DEFAULT_ORDER,
  });
  return scrollTable({
    label: "Analyses of this workspace",
    className: "sticky fitted",
    columns: [
      head("name", "Analysis", "text"),
      head("status", "Status", "text"),
      "Answers",
      "Schedule",
      "Last run",
      head("next_collect_at", "Next run", "text"),
      { number: "Cost of last run" },
      { number: "Reserved" },
      head("created_at", "Created", "text"),
    ],
    rows: items.map((one) => renderAnalysisRow(one, now)),
  });
}

function renderCreditsCell(value: number | null | undefined): Html {
  return html`<td class="number">${renderMetric(value, formatInteger)}</td>`;
}

function renderAnalysisRow({ analysis, website, collects }: ListedAnalysis, now: Instant): Html {
  const { id, name, type, status, schedule, next_collect_at: next, reserved_credits: reserved } = analysis;
  const [last] = collects;
  return html`<tr>
    <th scope="row">
      <a href="${analysisAddress(analysis, id)}">${renderName(name)}</a><small>${TYPE_NAMES[type]}</small>
    </th>
    <td>${renderStatusBadge(status)}</td>
    <td>${renderAnalysisOriginBadge({ type, website }, collects) ?? html`<span class="faint">none yet</span>`}</td>
    <td>${describeSchedule(schedule)}</td>
    <td>${renderLastCollect(last, now)}</td>
    <td>${renderInstant(next, "none", "day")}</td>
    ${renderCreditsCell(last?.cost.spent_credits)} ${renderCreditsCell(reserved)}
    <td class="when">${analysis.created_at.slice(0, 10)}</td>
  </tr>`;
}

function renderLastCollect(last: ShownCollect | undefined, now: Instant): Html {
  if (!last) return html`<span class="faint">none yet</span>`;
  const { number, status, progress, finished_at: at } = last;
  const remainingTime = progress.eta === null ? "" : `, ${formatTimeLeft(progress.eta, now)}`;
  if (at === null)
    return html`${number}: ${formatInteger(progress.done)} of ${formatInteger(progress.planned)}<small
        >${status}${remainingTime}</small
      >`;
  return html`${renderInstant(at, "", "day")}<small>${number}: ${status}</small>`;
}

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
