import type { z } from "zod";
import type { ApiKey } from "../../../tools/auth/api-key.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { selectField, inputField } from "../../http/pages/fields.ts";
import { details, postForm, type FormFields } from "../../http/pages/post-form.ts";
import { alertBox, copyButton, renderInstant } from "../../http/pages/page.ts";
import { formIdField, type Notice } from "../shared/page-with-forms.ts";
import { definitionItem } from "../actions/actions-page.ts";

type ApiKeyRow = z.output<typeof ApiKey>;

/** Access choices for a new key. */
export interface Reach {
  value: string;
  name: string;
  /** Option group; null for none. */
  of: "One organization" | "One workspace" | null;
}

interface KeysView extends Notice {
  /** New key, shown only once. */
  created?: Html | undefined;
  address: string;
  heading: string;
  introduction: string;
  keys: readonly ApiKeyRow[];
  nextCursor: string | null;
  nameById: ReadonlyMap<string, string>;
  reachOptions: readonly Reach[];
  /** Null to show all members' keys, each with its creator. */
  ownerId: string | null;
}

export function renderApiKeysPage(view: KeysView): Html {
  return html` <h1>${view.heading}</h1>
    <p class="lead">${view.introduction}</p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${view.created}
    <section aria-labelledby="new">
      <h2 id="new">Create a key</h2>
      ${renderCreateKeyForm(view)}
    </section>
    <section aria-labelledby="keys">
      <h2 id="keys">${view.ownerId === null ? "Keys" : "Your keys"}</h2>
      ${
        view.keys.length === 0
          ? html`<div class="empty"><p>No keys yet.</p></div>`
          : html`<ul class="cards">
              ${view.keys.map((key) => renderKeyCard(key, view))}
            </ul>`
      }
      ${view.nextCursor !== null && html`<p><a href="${view.address}?cursor=${view.nextCursor}">More keys</a></p>`}
    </section>`;
}

const ROLE_OPTIONS = [
  ["viewer", "Viewer"],
  ["editor", "Editor"],
  ["owner", "Owner"],
] as const;
const LIFETIME_OPTIONS = [
  ["90", "in 90 days"],
  ["365", "in a year"],
  ["", "never"],
] as const;

function renderCreateKeyForm({ address, reachOptions, problem }: KeysView): Html {
  return postForm({ action: `${address}/create`, className: "grid" }, (fields) =>
    renderCreateKeyFields(fields, reachOptions, problem),
  );
}

function renderCreateKeyFields(
  fields: FormFields,
  reaches: KeysView["reachOptions"],
  problem: string | undefined,
): Html {
  const offers = (of: Reach["of"]) =>
    reaches
      .filter((reach) => reach.of === of)
      .map(({ value, name }) => html`<option ${fields.option("reach", value, false)}>${name}</option>`);
  const groups = (["One organization", "One workspace"] as const).filter((of) => reaches.some((one) => one.of === of));
  return html`${formIdField()}
    ${inputField(fields, {
      name: "name",
      label: "Name",
      attributes: html`required maxlength="255" placeholder="Nightly report"
      ${fields.isSent && problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`}`,
    })}
    <label class="field"
      >Access
      <select name="reach">
        ${offers(null)} ${groups.map((of) => html`<optgroup label="${of}">${offers(of)}</optgroup>`)}
      </select></label
    >
    <div class="of-reach">
      ${selectField(fields, { name: "role", label: "Role", options: ROLE_OPTIONS, attributes: html`aria-describedby="role-hint"` })}
    </div>
    ${selectField(fields, { name: "expires", label: "Expires", options: LIFETIME_OPTIONS })}
    <p class="hint" id="role-hint">
      ${
        reaches.some(({ of }) => of === null)
          ? "A key for everything you can access acts as you and has no role of its own. "
          : ""
      }Keys
      for a workspace are for viewers or editors.
    </p>
    <button class="primary own-width">Create key</button>`;
}

export function renderNewKey(createdKey: ApiKeyRow & { api_key: string | null }, baseUrl: string): Html {
  return html`<section class="made" aria-labelledby="made" role="status">
    <h2 id="made">${createdKey.name} is ready</h2>
    <p>Copy it now. It is shown only once: we store only a hash of it.</p>
    <p class="secret"><code id="new-key">${createdKey.api_key}</code>${copyButton("new-key", "the key")}</p>
    <details>
      <summary>How to use it</summary>
      <p class="hint">Exchange the key for an access token, then send the token.</p>
      <pre><code>TOKEN=$(curl -s ${baseUrl}/v1/auth/token \\
  -H 'content-type: application/json' \\
  -d "{\\"api_key\\":\\"$API_KEY\\"}" | jq -r .access_token)

curl -H "authorization: Bearer $TOKEN" ${baseUrl}/v1/workspaces</code></pre>
    </details>
  </section>`;
}

function renderKeyCard(key: ApiKeyRow, { address, nameById, ownerId }: KeysView): Html {
  const reached = nameById.get(key.workspace_id ?? key.organization_id ?? "");
  const reach =
    key.kind === "user" ? "Everything you can access" : `${reached ?? "No longer accessible to you"} (${key.kind})`;
  return html`<li class="item">
    <div class="item-head">
      <h3>${key.name}</h3>
      ${key.role !== null && html`<span class="badge">${key.role}</span>`}
      ${key.rotated_to_id !== null && html`<span class="badge badge-warn">Rotated</span>`}
      ${confirmationForm({
        action: `${address}/revoke`,
        verb: "Revoke",
        target: `${key.name}, ${key.hint}`,
        effect: "Programs that use this key lose access at once. A revoked key cannot be brought back.",
        hidden: { api_key_id: key.id },
      })}
    </div>
    <dl class="meta">
      ${definitionItem("Key", html`<code>${key.hint}</code>`)} ${definitionItem("Access", reach)}
      ${ownerId === null && definitionItem("Made by", key.created_by.email)}
      ${definitionItem("Created", renderInstant(key.created_at, "", "day"))}
      ${definitionItem("Expires", renderInstant(key.expires_at, "Never", key.rotated_to_id === null ? "day" : "minute"))}
      ${definitionItem("Last used", renderInstant(key.last_used_at, "Not yet"))}
    </dl>
    ${key.rotated_to_id === null && renderRotateForm(key, address)}
  </li>`;
}

const GRACE_PERIODS = [
  ["0", "no longer"],
  ["3600", "for another hour"],
  ["86400", "for another day"],
  ["604800", "for another week"],
] as const;

function renderRotateForm(key: ApiKeyRow, address: string): Html {
  return details(
    { summary: html`Rotate<span class="unseen"> ${key.name}, ${key.hint}</span>` },
    postForm(
      { action: `${address}/rotate`, className: "line", hidden: { api_key_id: key.id } },
      (fields) =>
        html`${formIdField()}
          <label class="field"
            >The old key works
            <select name="grace_seconds">
              ${GRACE_PERIODS.map(([value, name]) => html`<option ${fields.option("grace_seconds", value, value === "86400")}>${name}</option>`)}
            </select></label
          >
          <button class="secondary">Rotate</button>`,
    ),
  );
}
