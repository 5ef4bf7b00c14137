import type { z } from "zod";
import type { ActionSummary } from "../../../tools/actions/action.ts";
import type { listRecommendedActions } from "../../../tools/actions/list-recommended-actions.ts";
import {
  ACTION_CATEGORIES,
  ACTION_CHANNELS,
  ACTION_SORTS,
  DISMISS_REASONS,
  WORKFLOW_STATUSES,
} from "../../../core/actions/action.ts";
import { shortened } from "../../http/pages/truncate-text.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm, type FormFields } from "../../http/pages/post-form.ts";
import { alertBox } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderSentence } from "../shared/format-metrics.ts";
import { filterForm, cursorPager } from "../shared/filters.ts";
import { sortableHeaders } from "../shared/table-sort.ts";
import { analysesAddress, updateQuery } from "../shared/page-addresses.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

export type ShownAction = z.output<typeof ActionSummary>;
export interface ShownWorkspace {
  id: string;
  organization_id: string;
  name: string;
}

export function actionAddress(action: { organization_id: string; workspace_id: string; id: string }): string {
  return `/actions/${action.organization_id}/${action.workspace_id}/${action.id}`;
}

export type StatusFilter = ShownAction["workflow_status"] | "all";

export interface ActionsView {
  workspace: ShownWorkspace;
  canEdit: boolean;
  query: URLSearchParams;
  status: StatusFilter;
  actions: z.output<typeof listRecommendedActions.output>;
  done?: string | undefined;
  problem?: string | undefined;
}

export const noWorkspacePage = html`<h1>Recommended actions</h1>
  <div class="empty">
    <p>You do not have access to a workspace yet. Ask an owner of your organization to share one with you.</p>
  </div>`;

export function renderActionsPage(view: ActionsView): Html {
  const { actions, query, workspace } = view;
  return html`<h1>Recommended actions</h1>
    <p class="lead">What to do next, based on your latest runs. Each action comes with briefs for writers.</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${renderFilters(view)}
    <section class="panel" aria-labelledby="listed">
      <div class="panel-head">
        <h2 id="listed" class="unseen">Actions</h2>
        ${renderStatusTabs(view)}
        <p class="hint">
          <a
            href="/actions/${workspace.organization_id}/${workspace.id}/actions.csv${updateQuery(query, { cursor: undefined })}"
            >Download CSV</a
          >
        </p>
      </div>
      ${actions.data.length === 0 ? renderEmptyState(view) : renderActionTable(view)}
      ${cursorPager("/actions", query, actions.next_cursor)} ${renderCountNote(view)}
    </section>`;
}

/** Such as `Third party sites` for `third_party_sites`. */
export function humanize(value: string): string {
  const words = value.replaceAll("_", " ").replace(/^ai /, "AI ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function renderFilters({ workspace, query, status }: ActionsView): Html {
  const all = [
    {
      name: "category",
      label: "Kind of work",
      any: "All",
      options: ACTION_CATEGORIES.map((one) => [one, humanize(one)] as const),
    },
    {
      name: "channel",
      label: "Channel",
      any: "All",
      options: ACTION_CHANNELS.map((one) => [one, one === "all" ? "All channels" : humanize(one)] as const),
    },
    {
      name: "observed",
      label: "Finding",
      any: "Still true",
      options: [["no", "No longer true"] as const, ["all", "All"] as const],
    },
  ];
  return filterForm("/actions", query, all, { defaults: {}, held: { workspace: workspace.id, status } });
}

function renderStatusTabs({ query, status, actions: { status_counts: counts } }: ActionsView): Html {
  const all = WORKFLOW_STATUSES.reduce((sum, one) => sum + counts[one], 0);
  const link = (one: StatusFilter, count: number) =>
    html`<li>
      <a
        href="/actions${updateQuery(query, { status: one, cursor: undefined })}"
        ${one === status && html` aria-current="page"`}
        >${humanize(one)} <data value="${count}">${count}</data></a
      >
    </li>`;
  return html`<nav class="states" aria-label="State">
    <ul>
      ${WORKFLOW_STATUSES.map((one) => link(one, counts[one]))} ${link("all", all)}
    </ul>
  </nav>`;
}

function renderEmptyState({ query, workspace }: ActionsView): Html {
  const isNarrowed = ["category", "channel", "observed"].some((name) => query.get(name));
  return html`<div class="empty">
    <p>No actions here. ${!isNarrowed && "Actions appear when a run completes and finds something to improve."}</p>
    ${
      isNarrowed
        ? html`<a class="button secondary" href="/actions?workspace=${workspace.id}">Clear filters</a>`
        : html`<a class="button secondary" href="${analysesAddress({ ...workspace, workspace_id: workspace.id })}"
            >Analyses</a
          >`
    }
  </div>`;
}

const DEFAULT_ORDER = { sort: "score", direction: "desc" } as const;

function renderCountNote({ query, status, actions: { status_counts: counts } }: ActionsView): Html {
  const all = WORKFLOW_STATUSES.reduce((sum, one) => sum + counts[one], 0);
  const shown = status === "all" ? all : counts[status];
  const observed = query.get("observed");
  const leftOut = [
    ...(shown < all ? [`${all - shown} in other states`] : []),
    ...(observed === "all"
      ? []
      : [observed === "no" ? "findings that are still true" : "findings that are no longer true"]),
  ];
  return html`<p class="hint">
    ${formatCount(shown, "action")}${leftOut.length > 0 && ` · not shown: ${leftOut.join(", ")}`}
  </p>`;
}

function renderActionTable(view: ActionsView): Html {
  const { actions, workspace, canEdit, query } = view;
  const canDismiss = canEdit && actions.data.some(({ workflow_status: state }) => state !== "dismissed");
  const head = sortableHeaders({ path: "/actions", query, id: "listed", sorts: ACTION_SORTS, usual: DEFAULT_ORDER });
  const table = (fields?: FormFields) =>
    scrollTable({
      label: "Recommended actions",
      className: "actions-list sticky fitted",
      columns: [
        ...(canDismiss ? [{ unseen: "Choose" }] : []),
        head("action_label", "Action", "text"),
        head("score", "Score (0 to 100)"),
        head("impact", "Impact", "text"),
        head("effort", "Effort", "text"),
        head("category", "Kind of work", "text"),
        head("channel", "Channel", "text"),
        head("evidence_count", "Evidence"),
      ],
      rows: actions.data.map((action) => renderActionRow(action, fields)),
    });
  if (!canDismiss) return table();
  return postForm(
    {
      action: `/actions/dismiss${updateQuery(query, { workspace: workspace.id })}`,
      hidden: { organization_id: workspace.organization_id, workspace_id: workspace.id },
    },
    (fields) =>
      html`${table(fields)}
        <fieldset class="line bulk">
          <legend>Dismiss the selected actions</legend>
          ${renderDismissalFields(fields)} <button class="secondary danger">Dismiss</button>
        </fieldset>`,
  );
}

export function renderDismissalFields(fields: FormFields): Html {
  return html`<label class="field"
      >Reason
      <select name="reason">
        ${DISMISS_REASONS.map((reason) => html`<option ${fields.option("reason", reason)}>${humanize(reason)}</option>`)}
      </select></label
    >
    <label class="field">Comment <input ${fields.input("comment")} maxlength="2000" autocomplete="off" /></label>`;
}

const MAX_LABEL_LENGTH = 120;

/** `fields` are those of the form in which rows are ticked. */
function renderActionRow(action: ShownAction, fields: FormFields | undefined): Html {
  const { id, action_label: label, workflow_status: state } = action;
  return html`<tr>
    ${fields && html`<td>${state !== "dismissed" && html`<input type="checkbox" ${fields.checkbox("ids", id, false)} aria-label="${shortened(label, MAX_LABEL_LENGTH)}" />`}</td>`}
    <th scope="row">
      <a href="${actionAddress(action)}">${renderSentence(label)}</a>
      <p>${renderSentence(action.description)}</p>
      ${renderActionBadges(action)}
    </th>
    <td class="number"><data value="${action.score}">${Math.round(action.score)}</data></td>
    <td>${humanize(action.impact)}</td>
    <td>${humanize(action.effort)}</td>
    <td>${humanize(action.category)}</td>
    <td>${action.channel === "all" ? "All channels" : humanize(action.channel)}</td>
    <td class="number">${formatCount(action.evidence_count, "row")}</td>
  </tr>`;
}

export function definitionItem(term: string, value: Html | string): Html {
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;
}

export function renderActionBadges(action: ShownAction): Html {
  return html`<span class="badges">
    <span class="badge${action.workflow_status === "confirmed" ? " badge-good" : ""}">${action.workflow_status}</span>
    ${action.resolved_at !== null && html`<span class="badge badge-good">no longer true</span>`}
    ${action.collection_methods.includes("simulated") && html`<span class="badge badge-warn">simulated</span>`}
  </span>`;
}

export const ACTION_COLUMNS = [
  "id",
  "action_label",
  "description",
  "workflow_status",
  "score",
  "impact",
  "effort",
  "criticality",
  "timeline",
  "category",
  "channel",
  "rule",
  "evidence_count",
  "dismiss_reason",
  "dismiss_comment",
  "first_seen_at",
  "last_seen_at",
  "resolved_at",
] as const satisfies readonly (keyof ShownAction)[];
