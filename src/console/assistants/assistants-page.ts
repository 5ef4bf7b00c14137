import { SCOPES } from "../../../core/identity/roles.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { alertBox, renderInstant } from "../../http/pages/page.ts";
import { waysToConnect } from "../../http/pages/connect-instructions.ts";

export interface ConnectedAssistant {
  id: string;
  name: string | null;
  verified: boolean;
  redirect_to: string | null;
  scopes: readonly string[];
  workspace_id: string | null;
  connected_at: string;
  first_used_at: string | null;
  last_used_at: string | null;
}

export function renderAssistantsPage(view: {
  assistants: readonly ConnectedAssistant[];
  hasMore: boolean;
  workspaceNameById: ReadonlyMap<string, string>;
  mcpUrl: string;
  done?: string | undefined;
  problem?: string | undefined;
}): Html {
  const { assistants } = view;
  return html` <h1>Connected assistants</h1>
    <p class="lead">
      These assistants can act for you, within your role. Disconnecting one takes effect on its next call.
    </p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${
      assistants.length === 0
        ? html`<div class="empty">
            <p>No assistants connected.</p>
            <a class="button secondary" href="#connect">How to connect one</a>
          </div>`
        : html`<ul class="cards">
              ${assistants.map((one) => renderAssistantCard(one, view.workspaceNameById))}
            </ul>
            ${view.hasMore && html`<p class="hint">Older entries are not shown.</p>`}`
    }
    <section aria-labelledby="connect">
      <h2 id="connect">Connect an assistant</h2>
      ${waysToConnect(view.mcpUrl)}
    </section>`;
}

function renderAssistantCard(assistant: ConnectedAssistant, workspaceNameById: ReadonlyMap<string, string>): Html {
  const name = assistant.name ?? "An assistant";
  const { workspace_id: workspaceId } = assistant;
  return html`<li class="item">
    <div class="item-head">
      <h2>${name}</h2>
      ${
        assistant.verified
          ? html`<span class="badge badge-good">Verified</span>`
          : html`<span class="badge badge-warn">Not verified</span>`
      }
      ${confirmationForm({
        action: "/assistants/disconnect",
        verb: "Disconnect",
        target: name,
        effect: "Its next call is rejected. To use it again, reconnect it.",
        hidden: { assistant_id: assistant.id },
      })}
    </div>
    <ul class="plain">
      ${assistant.scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}
    </ul>
    <dl class="meta">
      <div>
        <dt>Access</dt>
        <dd>
          ${
            workspaceId === null
              ? "All your workspaces"
              : `Only ${workspaceNameById.get(workspaceId) ?? "a workspace that you can no longer access"}`
          }
        </dd>
      </div>
      <div>
        <dt>Redirects to</dt>
        <dd><code>${assistant.redirect_to ?? "unknown"}</code></dd>
      </div>
      <div>
        <dt>Connected</dt>
        <dd>${renderInstant(assistant.connected_at, "", "day")}</dd>
      </div>
      <div>
        <dt>First used</dt>
        <dd>${renderInstant(assistant.first_used_at, "Not yet")}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>${renderInstant(assistant.last_used_at, "Not yet")}</dd>
      </div>
    </dl>
  </li>`;
}

function describeScope(scope: string): string {
  return Object.entries(SCOPES).find(([name]) => name === scope)?.[1] ?? scope;
}
