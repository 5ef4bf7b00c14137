import type { GrantNote } from "../../../db/schema/identity.ts";
import { SCOPES } from "../../core/roles.ts";
import { html, type Html } from "../html.ts";
import { instantShown } from "../page.ts";

export interface ConnectedAssistant {
  id: string;
  note: GrantNote | null;
  createdAt: string;
  lastUsedAt: string | null;
}

/** Every assistant that may act for the person, with what it may do, when it was used, and how to end it. */
export function assistantsPage(assistants: readonly ConnectedAssistant[], done: string | undefined): Html {
  return html` <h1>Connected assistants</h1>
    <p class="lead">These may act for you, within your role. Disconnecting takes effect with their next call.</p>
    ${done !== undefined && html`<p class="done" role="status">${done}</p>`}
    ${
      assistants.length === 0
        ? html`<div class="empty">
            <p>No assistant is connected.</p>
            <a class="button secondary" href="/">How to connect one</a>
          </div>`
        : html`<ul class="cards">
            ${assistants.map(assistantCard)}
          </ul>`
    }`;
}

function assistantCard({ id, note, createdAt, lastUsedAt }: ConnectedAssistant): Html {
  const name = note?.clientName ?? "An assistant";
  return html`<li class="item">
    <div class="item-head">
      <h2>${name}</h2>
      ${
        note?.verified
          ? html`<span class="badge badge-good">Verified</span>`
          : html`<span class="badge badge-warn">Not verified</span>`
      }
      <form method="post" action="/assistants/${id}/disconnect">
        <button class="secondary danger" aria-label="Disconnect ${name}">Disconnect</button>
      </form>
    </div>
    <ul class="plain">
      ${(note?.scopes ?? []).map((scope) => html`<li>${scopeInWords(scope)}</li>`)}
    </ul>
    <dl class="meta">
      <div>
        <dt>Answers go to</dt>
        <dd><code>${note?.redirectTo ?? "unknown"}</code></dd>
      </div>
      <div>
        <dt>Connected</dt>
        <dd>${instantShown(createdAt, "", "day")}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>${instantShown(lastUsedAt, "Not yet")}</dd>
      </div>
    </dl>
  </li>`;
}

function scopeInWords(scope: string): string {
  return Object.entries(SCOPES).find(([name]) => name === scope)?.[1] ?? scope;
}
