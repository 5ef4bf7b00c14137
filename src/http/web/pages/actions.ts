import type { z } from "zod";
import type { ActionSummary } from "../../../../tools/recommended-actions/action.ts";
import { html, type Html } from "../html.ts";

export type ShownAction = z.output<typeof ActionSummary>;
export interface ShownWorkspace {
  id: string;
  organization_id: string;
  name: string;
}

/** Path of an action's page. */
export function actionAddress(action: { organization_id: string; workspace_id: string; id: string }): string {
  return `/actions/${action.organization_id}/${action.workspace_id}/${action.id}`;
}

/** Recommended actions of one workspace. */
export function actionsPage(view: {
  workspaces: readonly ShownWorkspace[];
  chosen: ShownWorkspace | undefined;
  status: string;
  actions: readonly ShownAction[];
  more: boolean;
}): Html {
  return html` <h1>Recommended actions</h1>
    <p class="lead">
      What to do next, based on your latest collects, highest score first. Each action comes with briefs for writers.
    </p>
    ${
      view.chosen === undefined
        ? html`<div class="empty">
            <p>You do not have access to a workspace yet. Ask an owner of your organization to share one with you.</p>
          </div>`
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
      <p>No actions here. Actions appear when a collect completes and finds something to improve.</p>
    </div>`;
  }
  return html`<ul class="cards">
      ${actions.map(card)}
    </ul>
    ${more && html`<p class="hint">Showing the 100 actions with the highest scores.</p>`}`;
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

/** Badges: the state of an action, whether it still applies, and whether it is based on simulated answers. */
export function badges(action: ShownAction): Html {
  return html`<span class="badges">
    <span class="badge${action.workflow_status === "confirmed" ? " badge-good" : ""}">${action.workflow_status}</span>
    ${action.resolved_at !== null && html`<span class="badge badge-good">no longer observed</span>`}
    ${action.collection_methods.includes("simulated") && html`<span class="badge badge-warn">simulated</span>`}
  </span>`;
}
