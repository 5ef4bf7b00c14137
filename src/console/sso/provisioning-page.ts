import type { z } from "zod";
import type { ScimGroupMapping } from "../../../tools/scim/scim-group.ts";
import type { ScimToken } from "../../../tools/scim/scim-token.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { selectField, inputField } from "../../http/pages/fields.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox, copyButton, renderInstant } from "../../http/pages/page.ts";
import { formIdField, type Notice } from "../shared/page-with-forms.ts";

type ShownScimToken = z.output<typeof ScimToken>;
type ShownScimGroup = z.output<typeof ScimGroupMapping>;

export interface WorkspaceOption {
  id: string;
  name: string;
}

interface ProvisioningView extends Notice {
  organizationId: string;
  baseUrl: string;
  tokens: readonly ShownScimToken[];
  groups: readonly ShownScimGroup[];
  hasMoreGroups: boolean;
  workspaces: readonly WorkspaceOption[];
  /** New token, shown only once. */
  created?: { name: string; token: string | null };
}

export function renderProvisioningPage(view: ProvisioningView): Html {
  const address = `/organizations/${view.organizationId}/scim`;
  return html` <h1>Provisioning</h1>
    <p class="lead">
      Your identity provider adds, updates and deactivates members through SCIM 2.0. A deactivated member loses access
      at once.
    </p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`}
    ${view.created && newTokenBox(view.created)}
    <section aria-labelledby="address">
      <h2 id="address">SCIM URL</h2>
      <p>Enter this where your identity provider asks for the SCIM base URL or tenant URL, together with a token.</p>
      <p class="secret"><code id="base">${view.baseUrl}</code>${copyButton("base", "the SCIM URL")}</p>
    </section>
    <section aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      ${alertBox(view.problem)} ${renderTokenForm(view, address)}
      ${
        view.tokens.length === 0
          ? html`<div class="empty"><p>No tokens yet. Create one for your identity provider.</p></div>`
          : html`<ul class="cards">
              ${view.tokens.map((token) => renderTokenCard(token, address))}
            </ul>`
      }
    </section>
    <section aria-labelledby="groups">
      <h2 id="groups">Groups</h2>
      <p>
        Choose the role of each group’s members. A member of several groups gets the strongest role. A member of none
        gets the default role of single sign-on, or guest.
      </p>
      ${
        view.groups.length === 0
          ? html`<div class="empty"><p>Your identity provider has sent no groups yet.</p></div>`
          : html`<ul class="cards">
              ${view.groups.map((group) => groupCard(group, view, address))}
            </ul>`
      }
      ${view.hasMoreGroups && html`<p class="hint">Not all groups are shown. Use the REST API to list all of them.</p>`}
    </section>`;
}

function newTokenBox({ name, token }: { name: string; token: string | null }): Html {
  return html`<section class="made" aria-labelledby="made" role="status">
    <h2 id="made">${name} is ready</h2>
    <p>Copy it now. It is shown only once: we store only a hash of it.</p>
    <p class="secret"><code id="new-token">${token}</code>${copyButton("new-token", "the token")}</p>
  </section>`;
}

const EXPIRY_OPTIONS = [
  ["365", "in a year"],
  ["90", "in 90 days"],
  ["", "never"],
] as const;

function renderTokenForm({ problem }: ProvisioningView, address: string): Html {
  return postForm(
    { action: `${address}/create`, className: "line" },
    (fields) =>
      html`${formIdField()}
        ${inputField(fields, {
          name: "name",
          label: "Name",
          attributes: html`required maxlength="255" placeholder="Identity provider"
          ${problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`}`,
        })}
        ${selectField(fields, { name: "expires", label: "Expires", options: EXPIRY_OPTIONS })}
        <button class="primary">Create token</button>`,
  );
}

function renderTokenCard(token: ShownScimToken, address: string): Html {
  return html`<li class="item">
    <div class="item-head">
      <h3>${token.name}</h3>
      ${confirmationForm({
        action: `${address}/revoke`,
        verb: "Revoke",
        target: token.name,
        effect:
          "Your identity provider can no longer change members with this token. A revoked token cannot be brought back.",
        hidden: { scim_token_id: token.id },
      })}
    </div>
    <dl class="meta">
      <div>
        <dt>Token</dt>
        <dd><code>${token.hint}</code></dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd>${renderInstant(token.created_at, "", "day")}</dd>
      </div>
      <div>
        <dt>Expires</dt>
        <dd>${renderInstant(token.expires_at, "Never", "day")}</dd>
      </div>
      <div>
        <dt>Last used</dt>
        <dd>${renderInstant(token.last_used_at, "Not yet")}</dd>
      </div>
    </dl>
  </li>`;
}

const ORGANIZATION_ROLES = [
  ["editor", "Editor of the organization"],
  ["viewer", "Viewer of the organization"],
  ["guest", "Guest of the organization"],
] as const;
const WORKSPACE_ROLES = [
  ["editor", "Editor"],
  ["viewer", "Viewer"],
] as const;

function groupCard(group: ShownScimGroup, { workspaces }: ProvisioningView, address: string): Html {
  return html`<li class="item">
    <div class="item-head">
      <h3>${group.name}</h3>
      <span class="hint">${group.members} ${group.members === 1 ? "member" : "members"}</span>
    </div>
    ${postForm({ action: `${address}/group`, className: "line", hidden: { scim_group_id: group.id } }, (fields) => {
      const option = (value: string, name: string) =>
        html`<option ${fields.option("gives", value, value === toMappingValue(group))}>${name}</option>`;
      return html`<label class="field"
          ><span>Role<span class="unseen"> of ${group.name}</span></span>
          <select name="gives">
            ${option("", "No role")} ${ORGANIZATION_ROLES.map(([role, name]) => option(role, name))}
            ${workspaces.map(
              ({ id, name }) =>
                html`<optgroup label="${name}">
                  ${WORKSPACE_ROLES.map(([role, what]) => option(`${role} ${id}`, `${what} in ${name}`))}
                </optgroup>`,
            )}
          </select></label
        >
        <button class="secondary" aria-label="Save the role of ${group.name}">Save</button>`;
    })}
  </li>`;
}

function toMappingValue({ organization_role: role, workspace_id, workspace_role }: ShownScimGroup): string {
  return role ?? (workspace_id === null || workspace_role === null ? "" : `${workspace_role} ${workspace_id}`);
}
