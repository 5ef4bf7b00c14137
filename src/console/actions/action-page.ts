import type { z } from "zod";
import type { Action } from "../../../tools/actions/action.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { details, postForm } from "../../http/pages/post-form.ts";
import { renderUntrustedText } from "../audits/labels.ts";
import { renderSentence } from "../shared/format-metrics.ts";
import { alertBox } from "../../http/pages/page.ts";
import { renderEvidence } from "./action-evidence.ts";
import { actionAddress, renderActionBadges, renderDismissalFields, definitionItem, humanize } from "./actions-page.ts";

type ShownAction = z.output<typeof Action>;

const TIMELINE_NAMES: Readonly<Record<ShownAction["timeline"], string>> = {
  two_weeks: "Two weeks",
  month: "A month",
  quarter: "A quarter",
};

export function renderActionPage(view: {
  action: ShownAction;
  query: URLSearchParams;
  canEdit: boolean;
  done?: string | undefined;
  problem?: string | undefined;
}): Html {
  const { action } = view;
  return html` <p class="crumb"><a href="/actions?workspace=${action.workspace_id}">Recommended actions</a></p>
    <div class="item-head">
      <h1>${renderSentence(action.action_label)}</h1>
      ${renderActionBadges(action)}
    </div>
    <p class="lead">${renderUntrustedText(action.description)}</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    <dl class="meta">
      ${definitionItem("Score", String(Math.round(action.score)))} ${definitionItem("Impact", humanize(action.impact))}
      ${definitionItem("Effort", humanize(action.effort))}
      ${definitionItem("Criticality", humanize(action.criticality))}
      ${definitionItem("Takes about", TIMELINE_NAMES[action.timeline])}
      ${action.dismiss_reason !== null && definitionItem("Dismissed as", humanize(action.dismiss_reason))}
      ${action.dismiss_comment !== null && definitionItem("Comment", action.dismiss_comment)}
    </dl>
    ${view.canEdit && renderWorkflowForms(action)}
    <section aria-labelledby="tasks">
      <h2 id="tasks">What to do</h2>
      <ol class="cards">
        ${action.tasks.map((task) => renderTaskCard(action, task))}
      </ol>
    </section>
    <section aria-labelledby="why">
      <h2 id="why">Why</h2>
      <p>${renderUntrustedText(action.trigger.text)}</p>
      <p>${renderUntrustedText(action.reasoning)}</p>
      ${renderEvidence(action, view.query)}
    </section>`;
}

function renderWorkflowForms(action: ShownAction): Html {
  const address = actionAddress(action);
  if (action.workflow_status === "dismissed") {
    return postForm(
      { action: `${address}/reconsider`, className: "actions" },
      html`<button class="secondary">Reconsider</button>`,
    );
  }
  return html`<div class="actions">
    ${
      action.workflow_status === "new" &&
      postForm({ action: `${address}/confirm` }, html`<button class="primary">Confirm</button>`)
    }
    ${details(
      { summary: "Dismiss…" },
      postForm(
        { action: `${address}/dismiss`, className: "line" },
        (fields) => html`${renderDismissalFields(fields)} <button class="secondary danger">Dismiss</button>`,
      ),
    )}
  </div>`;
}

function renderTaskCard(action: ShownAction, task: ShownAction["tasks"][number]): Html {
  const state = task.brief_ready ? task.brief_status.replaceAll("_", " ") : "being written";
  return html`<li class="item">
    <div class="item-head">
      <h3>${renderSentence(task.title)}</h3>
      <span class="badge">${state}</span>
    </div>
    <p>${renderUntrustedText(task.description)}</p>
    <p>
      <a href="${actionAddress(action)}/${task.id}"
        >Open the brief<span class="unseen"> of ${renderSentence(task.title)}</span></a
      >
    </p>
  </li>`;
}
