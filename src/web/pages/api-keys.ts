import { html, type Html } from "../html.ts";
import { alertBox, copyButton, instantShown } from "../page.ts";

export interface ShownKey {
  id: string;
  name: string;
  kind: string;
  hint: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

/** The person's keys, and the form that makes one. `made` is the new key, shown this once. */
export function apiKeysPage(view: {
  keys: readonly ShownKey[];
  baseUrl: string;
  made?: { name: string; api_key: string };
  done?: string | undefined;
  problem?: string;
  name?: string;
}): Html {
  return html` <h1>API keys</h1>
    <p class="lead">For your own programs. A key acts as you, in all your organizations; keep it on a server.</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`}
    ${view.made && madeBox(view.made, view.baseUrl)}
    <section aria-labelledby="new">
      <h2 id="new">Create a key</h2>
      ${alertBox(view.problem)}
      <form method="post" action="/api-keys" class="line">
        <label class="field"
          >Name
          <input
            name="name"
            required
            maxlength="255"
            autocomplete="off"
            placeholder="Nightly report"
            value="${view.name ?? ""}"
            ${view.problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`}
        /></label>
        <label class="field"
          >Expires
          <select name="expires">
            <option value="90">in 90 days</option>
            <option value="365">in a year</option>
            <option value="">never</option>
          </select></label
        >
        <button class="primary">Create key</button>
      </form>
    </section>
    <section aria-labelledby="keys">
      <h2 id="keys">Your keys</h2>
      ${
        view.keys.length === 0
          ? html`<div class="empty"><p>You have no keys.</p></div>`
          : html`<ul class="cards">
              ${view.keys.map(keyCard)}
            </ul>`
      }
    </section>`;
}

function madeBox(made: { name: string; api_key: string }, baseUrl: string): Html {
  return html`<section class="made" aria-labelledby="made" role="status">
    <h2 id="made">${made.name} is ready</h2>
    <p>Copy it now: it is shown only this once, and only a hash of it is kept.</p>
    <p class="secret"><code id="new-key">${made.api_key}</code>${copyButton("new-key", "the key")}</p>
    <h3>How to use it</h3>
    <pre><code>TOKEN=$(curl -s ${baseUrl}/v1/auth/token \\
  -H 'content-type: application/json' \\
  -d '{"api_key":"${made.api_key}"}' \\
  | jq -r .access_token)

curl -H "authorization: Bearer $TOKEN" ${baseUrl}/v1/workspaces</code></pre>
  </section>`;
}

function keyCard(key: ShownKey): Html {
  return html`<li class="item">
    <div class="item-head">
      <h3>${key.name}</h3>
      ${key.kind !== "user" && html`<span class="badge">${key.kind}</span>`}
      <form method="post" action="/api-keys/${key.id}/revoke">
        <button class="secondary danger" aria-label="Revoke ${key.name}">Revoke</button>
      </form>
    </div>
    <dl class="meta">
      <div>
        <dt>Key</dt>
        <dd><code>${key.hint}</code></dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>${instantShown(key.created_at, "", "day")}</dd>
      </div>
      <div>
        <dt>Expires</dt>
        <dd>${instantShown(key.expires_at, "Never", "day")}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>${instantShown(key.last_used_at, "Not yet")}</dd>
      </div>
    </dl>
  </li>`;
}
