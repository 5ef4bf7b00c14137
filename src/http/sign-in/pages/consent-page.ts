import type { GrantNote } from "../../../../db/identity/schema/credentials.ts";
import { SCOPES, type Scope } from "../../../../core/identity/roles.ts";
import type { WorkspaceChoice } from "../workspace-choices.ts";
import { html, type Html } from "../../pages/html.ts";
import { standalonePage, renderNoticeLine } from "../../pages/page.ts";

export function renderConsentPage(ask: {
  action: string;
  client: Omit<GrantNote, "scopes"> & { host: string | null; isOnThisDevice: boolean };
  scopes: readonly Scope[];
  /** Scopes declined before signing in again. */
  declinedScopes: ReadonlySet<Scope>;
  workspaces: readonly WorkspaceChoice[];
  /** True if the address is for the only workspace in `workspaces`, or for an inaccessible one. */
  isLimited: boolean;
  /** Workspace chosen before signing in again. */
  chosenWorkspaceId: string;
  email: string;
  unreadNoticeCount: number;
}): Html {
  const { client } = ask;
  const canAllow = !ask.isLimited || ask.workspaces.length > 0;
  const writing = ask.scopes.filter((scope) => scope !== "read");
  return standalonePage(
    html` <h1>Connect ${client.clientName}?</h1>
      <p class="lead">It wants to use Brand Visibility on your behalf.</p>
      <dl class="facts">
        <div>
          <dt>Assistant</dt>
          <dd>${client.clientName} ${renderBadge(client)}</dd>
        </div>
        <div>
          <dt>Redirects to</dt>
          <dd><code>${client.redirectTo}</code></dd>
        </div>
        <div>
          <dt>Signed in as</dt>
          <dd class="with-action">
            <span>${ask.email}</span>
            <form method="post" action="${ask.action}/switch"><button class="link">Not you?</button></form>
          </dd>
        </div>
      </dl>
      ${canAllow ? undefined : html`<p class="caution">This address is for one workspace, which ${ask.email} cannot access.</p>`}
      ${renderCautionBox(client)} ${renderNoticeLine(ask.unreadNoticeCount)}
      <form method="post" action="${ask.action}/consent" class="stack">
        <fieldset class="scopes">
          <legend>What it may do</legend>
          <p class="scope">
            ${TICK_ICON}<span>${SCOPES.read}<small>Always included</small></span>
          </p>
          ${writing.map(
            (scope) =>
              html`<label class="scope"
                ><input
                  type="checkbox"
                  name="scope"
                  value="${scope}"
                  ${ask.declinedScopes.has(scope) ? "" : "checked"}
                /><span>${SCOPES[scope]}</span></label
              >`,
          )}
        </fieldset>
        ${renderWorkspaceField(ask)}
        <p class="hint">
          It can never do more than your own role allows. You can disconnect it at any time under Assistants.
        </p>
        ${
          writing.length > 0 &&
          html`<p class="hint">
            Only what spends credits needs your confirmation: in a form, if the assistant can show one. Otherwise this
            service relies on the assistant’s word that you agreed. Above the limit that an organization sets, nothing
            is spent until you approve it in the browser.
          </p>`
        }
        <div class="actions">
          ${canAllow && html`<button class="primary" name="decision" value="allow">Allow</button>`}
          <button class="secondary" name="decision" value="deny">Don’t allow</button>
        </div>
      </form>`,
    { isWide: true },
  );
}

function renderWorkspaceField({
  workspaces,
  isLimited,
  chosenWorkspaceId,
}: {
  workspaces: readonly WorkspaceChoice[];
  isLimited: boolean;
  chosenWorkspaceId: string;
}): Html | undefined {
  if (workspaces.length === 0) return undefined;
  return html`<div class="field">
    <label for="workspace">What it can access</label>
    <select name="workspace" id="workspace">
      ${!isLimited && html`<option value="">All my workspaces</option>`}
      ${workspaces.map(
        ({ id, name }) =>
          html`<option value="${id}" ${id === chosenWorkspaceId ? "selected" : ""}>Only ${name}</option>`,
      )}
    </select>
  </div>`;
}

const TICK_ICON = html`<svg class="given" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
  <path
    d="M4 10.5l4 4 8-9"
    fill="none"
    stroke="currentColor"
    stroke-width="2.2"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
</svg>`;

function renderBadge({ verified, host }: { verified: boolean; host: string | null }): Html {
  return verified
    ? html`<span class="badge badge-good">Published by ${host}</span>`
    : html`<span class="badge badge-warn">Not verified</span>`;
}

function renderCautionBox(client: { verified: boolean; isOnThisDevice: boolean }): Html | undefined {
  if (client.verified && !client.isOnThisDevice) return undefined;
  const name = client.verified ? undefined : html`It chose its own name, which is not verified. `;
  const where = client.isOnThisDevice && html`It redirects to a program on this device. `;
  return html`<p class="caution">${name}${where}Continue only if you just started this yourself.</p>`;
}
