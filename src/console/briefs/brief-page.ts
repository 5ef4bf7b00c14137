import type { z } from "zod";
import type { Action } from "../../../tools/actions/action.ts";
import type { Brief } from "../../../tools/actions/brief.ts";
import { BRIEF_STATUSES } from "../../../core/actions/action.ts";
import type { StoredValues } from "../../http/pages/stale-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { selectField, inputField, textareaField } from "../../http/pages/fields.ts";
import { postForm, type FormFields } from "../../http/pages/post-form.ts";
import { renderMarkdown } from "../../http/pages/markdown.ts";
import { alertBox, copyButton, renderInstant } from "../../http/pages/page.ts";
import { actionAddress, definitionItem } from "../actions/actions-page.ts";
import { renderSentence } from "../shared/format-metrics.ts";
import { authoringToolAddress } from "./authoring-tool-page.ts";

type ShownBrief = z.output<typeof Brief>;

interface BriefView {
  action: z.output<typeof Action>;
  brief: ShownBrief;
  isReady: boolean;
  canEdit: boolean;
  done?: string | undefined;
  problem?: string | undefined;
  /** Unsaved form values, if they differ from the stored brief. */
  typed?: URLSearchParams | undefined;
  /** True if the form was rejected because the stored text changed. */
  isOutdated: boolean;
  /** Earliest due date, such as 2026-11-21. */
  today: string;
}

export function toBriefFields({
  title,
  body,
  status,
}: Pick<z.input<typeof Brief>, "title" | "body" | "status">): StoredValues {
  return { title, body, status };
}

export function renderBriefPage(view: BriefView): Html {
  const { action, brief } = view;
  return html` <p class="crumb"><a href="${actionAddress(action)}">${renderSentence(action.action_label)}</a></p>
    <h1>${renderSentence(brief.title)}</h1>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${!view.isReady && html`<p class="caution">This brief is still being written. Reload the page in a moment.</p>`}
    ${brief.partner_brief_id !== null && renderPartnerFacts(brief)}
    ${view.canEdit && view.isReady ? html`<div class="halves">${renderEditForm(view)} ${renderPreviewSection(view)}</div>` : renderPreviewSection(view)}
    ${!view.canEdit && html`<p class="hint">Only editors of this workspace can edit and send this brief.</p>`}`;
}

function renderPartnerFacts(brief: ShownBrief): Html {
  return html`<dl class="meta">
    ${definitionItem("Status in the content tool", brief.partner_status ?? "unknown")}
    ${definitionItem("Due", renderInstant(brief.partner_due_date, "Not submitted yet"))}
    ${definitionItem("Last synced", renderInstant(brief.partner_synced_at, "Not yet"))}
    ${
      brief.partner_url !== null &&
      /^https?:/.test(brief.partner_url) &&
      definitionItem("In the content tool", html`<a href="${brief.partner_url}" rel="noopener noreferrer">Open</a>`)
    }
  </dl>`;
}

function renderEditForm({ action, brief, today }: BriefView): Html {
  const address = `${actionAddress(action)}/${brief.task_id}`;
  const isSent = brief.partner_due_date !== null;
  return html`<section aria-labelledby="text">
    <h2 id="text">Text</h2>
    ${brief.is_user_edited && html`<p class="hint">Edited by a person. New runs do not overwrite it.</p>`}
    ${postForm(
      {
        action: `${address}/edit`,
        otherActions: [`${address}/preview`, `${address}/send`],
        className: "stack",
        shown: toBriefFields(brief),
      },
      (fields) =>
        html`${inputField(fields, { name: "title", label: "Title", attributes: html`required maxlength="255"` })}
          ${textareaField(fields, {
            name: "body",
            label: "Body, in Markdown",
            rows: 24,
            attributes: html`maxlength="50000"`,
          })}
          ${selectField(fields, {
            name: "status",
            label: "Progress",
            options: BRIEF_STATUSES.map((status) => [status, status.replaceAll("_", " ")]),
          })}
          <div class="actions">
            <button class="secondary">Save</button>
            <button class="secondary" formaction="${address}/preview" formnovalidate>Preview</button>
          </div>
          ${!isSent && renderSendForm(fields, action, { address, today })}`,
    )}
  </section>`;
}

function renderSendForm(
  fields: FormFields,
  action: BriefView["action"],
  { address, today }: { address: string; today: string },
): Html {
  return html`<fieldset class="apart">
    <legend>Send it</legend>
    <label class="field"
      >Due <input ${fields.input("due")} type="date" min="${today}" aria-describedby="due-hint"
    /></label>
    <p class="hint" id="due-hint">
      At the end of that day, UTC. Saves and sends the form. A brief can be sent once. Set its destination on the page
      <a href="${authoringToolAddress(action)}">Content tool</a>.
    </p>
    <button class="primary own-width" formaction="${address}/send">Send to the content tool</button>
  </fieldset>`;
}

function renderPreviewSection({ action, brief, typed, isOutdated }: BriefView): Html {
  const body = isOutdated ? brief.body : (typed?.get("body") ?? brief.body);
  return html`<section>
    <div class="panel-head">
      <h2 id="reads">${isOutdated ? "Stored text" : "Preview"}</h2>
      <p class="hint"><a href="${actionAddress(action)}/${brief.task_id}/brief.md">Download the saved text (.md)</a></p>
    </div>
    <div class="reading item" tabindex="0" role="region" aria-labelledby="reads">
      ${isOutdated && html`<p><strong>${brief.title}</strong></p>`} ${renderMarkdown(body)}
    </div>
    <details ${isOutdated && html` open`}>
      <summary>Its Markdown</summary>
      <p>${copyButton("markdown", "the Markdown")}</p>
      <pre id="markdown" tabindex="0">${body}</pre>
    </details>
  </section>`;
}
