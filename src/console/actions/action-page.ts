import type { z } from "zod";
import type { Action } from "../../../tools/actions/action.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { details, postForm } from "../../http/pages/post-form.ts";
import { outside } from "../audits/words.ts";
import { sentenceShown } from "../shared/figures.ts";
import { alertBox } from "../../http/pages/page.ts";
import { evidenceShown } from "./action-evidence.ts";
import { actionAddress, badges, dismissalFields, fact, inWords } from "./actions-page.ts";

type ShownAction = z.output<typeof Action>;

export function actionPage(view: {
  action: ShownAction;
  query: URLSearchParams;
  mayWrite: boolean;
  done?: string | undefined;
  problem?: string | undefined;
}): Html {
  const { action } = view;
  return html` <p class="crumb"><a href="/actions?workspace=${action.workspace_id}">Recommended actions</a></p>
    <div class="item-head">
      <h1>${sentenceShown(action.action_label)}</h1>
      ${badges(action)}
    </div>
    <p class="lead">${outside(action.description)}</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    <dl class="meta">
      ${fact("Score", String(Math.round(action.score)))} ${fact("Impact", inWords(action.impact))}
      ${fact("Effort", inWords(action.effort))} ${fact("Criticality", inWords(action.criticality))}
      ${fact("Time", inWords(action.timeline))}
      ${action.dismiss_reason !== null && fact("Dismissed as", inWords(action.dismiss_reason))}
      ${action.dismiss_comment !== null && fact("Comment", action.dismiss_comment)}
    </dl>
    ${view.mayWrite && workflow(action)}
    <section aria-labelledby="tasks">
      <h2 id="tasks">What to do</h2>
      <ol class="cards">
        ${action.tasks.map((task) => taskCard(action, task))}
      </ol>
    </section>
    <section aria-labelledby="why">
      <h2 id="why">Why</h2>
      <p>${outside(action.trigger.text)}</p>
      <p>${outside(action.reasoning)}</p>
      ${evidenceShown(action, view.query)}
    </section>`;
}

function workflow(action: ShownAction): Html {
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
        (fields) => html`${dismissalFields(fields)} <button class="secondary danger">Dismiss</button>`,
      ),
    )}
  </div>`;
}

function taskCard(action: ShownAction, task: ShownAction["tasks"][number]): Html {
  const state = task.brief_ready ? task.brief_status.replaceAll("_", " ") : "being written";
  return html`<li class="item">
    <div class="item-head">
      <h3>${sentenceShown(task.title)}</h3>
      <span class="badge">${state}</span>
    </div>
    <p>${outside(task.description)}</p>
    <p>
      <a href="${actionAddress(action)}/${task.id}"
        >Open the brief<span class="unseen"> of ${sentenceShown(task.title)}</span></a
      >
    </p>
  </li>`;
}
