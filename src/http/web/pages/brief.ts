import type { z } from "zod";
import type { Action } from "../../../../tools/recommended-actions/action.ts";
import type { Brief } from "../../../../tools/recommended-actions/brief.ts";
import { BRIEF_STATUSES } from "../../../../core/recommend/action.ts";
import { html, type Html } from "../html.ts";
import { alertBox, instantShown } from "../page.ts";
import { actionAddress, fact } from "./actions.ts";
import { authoringToolAddress } from "./authoring-tool.ts";

type ShownBrief = z.output<typeof Brief>;

/** A task's brief: read it, edit it, send it to the authoring tool. */
export function briefPage(view: {
  action: z.output<typeof Action>;
  brief: ShownBrief;
  ready: boolean;
  mayWrite: boolean;
  done?: string | undefined;
  problem?: string | undefined;
  /** The earliest due date, as 2026-11-21. */
  today: string;
}): Html {
  const { action, brief } = view;
  return html` <p class="crumb"><a href="${actionAddress(action)}">${action.action_label}</a></p>
    <h1>${brief.title}</h1>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${!view.ready && html`<p class="caution">This brief is still being written. Reload the page in a moment.</p>`}
    ${sending(view)}
    ${view.mayWrite && view.ready ? editing(view) : html`<pre class="setup" tabindex="0">${brief.body}</pre>`}`;
}

function sending({ action, brief, ready, mayWrite, today }: Parameters<typeof briefPage>[0]): Html {
  const sent = brief.partner_due_date !== null;
  return html`<section aria-labelledby="send">
    <h2 id="send">Authoring tool</h2>
    ${brief.partner_brief_id !== null && partnerFacts(brief)}
    ${
      !sent &&
      ready &&
      mayWrite &&
      html`<form method="post" action="${actionAddress(action)}/${brief.task_id}/send" class="line">
          <label class="field"
            >Due <input name="due" type="date" required min="${today}" aria-describedby="due-hint"
          /></label>
          <button class="primary">Send to the authoring tool</button>
        </form>
        <p class="hint" id="due-hint">
          Due at the end of that day, UTC. A brief can be sent once.
          <a href="${authoringToolAddress(action)}">Change where briefs are sent</a>
        </p>`
    }
    ${!mayWrite && html`<p class="hint">Only editors of this workspace can send this brief.</p>`}
  </section>`;
}

function partnerFacts(brief: ShownBrief): Html {
  return html`<dl class="meta">
    ${fact("Status", brief.partner_status ?? "unknown")}
    ${fact("Due", instantShown(brief.partner_due_date, "Not submitted yet"))}
    ${fact("Last synced", instantShown(brief.partner_synced_at, "Not yet"))}
    ${
      brief.partner_url !== null &&
      /^https?:/.test(brief.partner_url) &&
      fact("In the authoring tool", html`<a href="${brief.partner_url}" rel="noopener noreferrer">Open</a>`)
    }
  </dl>`;
}

function editing({ action, brief }: Parameters<typeof briefPage>[0]): Html {
  return html`<section aria-labelledby="text">
    <h2 id="text">Text</h2>
    ${brief.is_user_edited && html`<p class="hint">Edited by a person. New collects do not overwrite it.</p>`}
    <form method="post" action="${actionAddress(action)}/${brief.task_id}/edit" class="stack">
      <label class="field"
        >Title <input name="title" required maxlength="255" autocomplete="off" value="${brief.title}"
      /></label>
      <label class="field"
        >Body, in Markdown <textarea name="body" rows="24" maxlength="50000">${"\n"}${brief.body}</textarea>
      </label>
      <label class="field"
        >Progress
        <select name="status">
          ${BRIEF_STATUSES.map(
            (status) =>
              html`<option value="${status}" ${status === brief.status && html` selected`}>
                ${status.replaceAll("_", " ")}
              </option>`,
          )}
        </select></label
      >
      <button class="secondary own-width">Save</button>
    </form>
  </section>`;
}
