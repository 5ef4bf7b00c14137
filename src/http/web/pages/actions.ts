import type { z } from "zod";
import type { ActionSummary } from "../../../../tools/recommended-actions/action.ts";
import { html, type Html } from "../html.ts";

export type ShownAction = z.output<typeof ActionSummary>;
export interface ShownWorkspace {
  id: string;
  organization_id: string;
  name: string;
}

/** Address of the page of an action. */
export function actionAddress(action: { organization_id: string; workspace_id: string; id: string }): string {
  return `/actions/${action.organization_id}/${action.workspace_id}/${action.id}`;
}

/** What completed collects call for, in one workspace. */
export function actionsPage(view: {
  workspaces: readonly ShownWorkspace[];
  chosen: ShownWorkspace | undefined;
  status: string;
  actions: readonly ShownAction[];
  more: boolean;
}): Html {
  return html` <h1>Recommended actions</h1>
    <p class="lead">What the latest collects call for, the most valuable first. Each action has briefs for writers.</p>
    ${
      view.chosen === undefined
        ? html`<div class="empty"><p>You can see no workspace yet.</p></div>`
        : html`${chooser(view.workspaces, view.chosen, view.status)} ${list(view.actions, view.more)}`
    }`;
}

const STATUSES = [
  ["new", "New"],
  ["confirmed", "Confirmed"],
  ["dismissed", "Dismissed"],
  ["", "All"],
] as const;

function chooser(workspaces: readonly ShownWorkspace[], chosen: ShownWorkspace, status: string): Html {
  return html`<form method="get" action="/actions" class="line">
    <label class="field"
      >Workspace
      <select name="workspace">
        ${workspaces.map(({ id, name }) => option(id, name, id === chosen.id))}
      </select></label
    >
    <label class="field"
      >Show
      <select name="status">
        ${STATUSES.map(([value, name]) => option(value, name, value === status))}
      </select></label
    >
    <button class="secondary">Show</button>
  </form>`;
}

function option(value: string, name: string, selected: boolean): Html {
  return html`<option value="${value}" ${selected && html` selected`}>${name}</option>`;
}

function list(actions: readonly ShownAction[], more: boolean): Html {
  if (actions.length === 0) {
    return html`<div class="empty">
      <p>Nothing here. Actions appear when a collect of an analysis completes and shows something to do.</p>
    </div>`;
  }
  return html`<ul class="cards">
      ${actions.map(card)}
    </ul>
    ${more && html`<p class="hint">These are the first hundred; the others score lower.</p>`}`;
}

function card(action: ShownAction): Html {
  return html`<li class="item">
    <div class="item-head">
      <h2><a href="${actionAddress(action)}">${action.action_label}</a></h2>
      ${badges(action)}
    </div>
    <p class="lead">${action.description}</p>
    <dl class="meta">
      ${fact("Score", String(Math.round(action.score)))} ${fact("Impact", action.impact)}
      ${fact("Effort", action.effort)} ${fact("Evidence", `${action.evidence_count} rows`)}
    </dl>
  </li>`;
}

export function fact(term: string, value: Html | string): Html {
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** The state of an action, whether it still holds, and whether it rests on invented answers. */
export function badges(action: ShownAction): Html {
  return html`<span class="badges">
    <span class="badge${action.workflow_status === "confirmed" ? " badge-good" : ""}">${action.workflow_status}</span>
    ${action.resolved_at !== null && html`<span class="badge badge-good">no longer observed</span>`}
    ${action.collection_methods.includes("simulated") && html`<span class="badge badge-warn">simulated</span>`}
  </span>`;
}
