import type { z } from "zod";
import type { PlatformIntegration } from "../../../../tools/platform-integrations/platform-integration.ts";
import { askFirst } from "../ask-first.ts";
import { html, type Html } from "../html.ts";
import { alertBox, instantShown } from "../page.ts";
import { fact } from "./actions.ts";

/** Path of the page that connects a workspace to the authoring tool. */
export function authoringToolAddress(workspace: { organization_id: string; workspace_id: string }): string {
  return `/writers/${workspace.organization_id}/${workspace.workspace_id}`;
}

/** The authoring tool that a workspace's briefs are sent to. */
export function authoringToolPage(view: {
  address: string;
  workspaceId: string;
  workspaceName: string;
  connection: z.output<typeof PlatformIntegration> | undefined;
  /** The rejected input. */
  typed?: URLSearchParams | undefined;
  done?: string | undefined;
  problem?: string | undefined;
}): Html {
  const { connection, typed, address } = view;
  const value = (field: string, stored: string | number | null | undefined) =>
    typed?.get(field) ?? String(stored ?? "");
  const platforms = address.replace(/^\/writers\//, "/platform-accounts/");
  return html` <p class="crumb"><a href="/actions?workspace=${view.workspaceId}">Recommended actions</a></p>
    <h1>Authoring tool of ${view.workspaceName}</h1>
    <p class="lead">
      Connect the tool that your writers work in, and send briefs to it. Its API token is stored encrypted and never
      shown again. Advertising and video accounts are under <a href="${platforms}">Platform accounts</a>.
    </p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${
      connection &&
      html`<dl class="meta">
        ${fact("Connected since", instantShown(connection.created_at, "", "day"))}
        ${fact("Token", `ends in ${connection.api_token_hint}`)}
      </dl>`
    }
    <form method="post" action="${address}/connect" class="stack">
      <label class="field"
        >API token of the tool
        <input name="api_token" type="password" autocomplete="off" maxlength="1024" ${!connection && html` required`} />
        ${connection && html`<span class="hint">Leave empty to keep the stored token.</span>`}</label
      >
      <label class="field"
        >Workspace ID in the tool
        <input
          name="partner_workspace_id"
          required
          maxlength="255"
          autocomplete="off"
          value="${value("partner_workspace_id", connection?.partner_workspace_id)}"
      /></label>
      <label class="field"
        >Recipients
        <textarea name="recipients" rows="4">${"\n"}${value("recipients", connection?.recipients.join("\n"))}</textarea>
        <span class="hint">One e-mail address per line. Leave empty to use the recipients set in the tool.</span></label
      >
      <label class="field"
        >Maximum brief length, in characters
        <input
          name="max_brief_length"
          type="number"
          min="1"
          max="1000000"
          required
          value="${value("max_brief_length", connection?.max_brief_length ?? 50_000)}"
      /></label>
      <button class="primary own-width">${connection ? "Save" : "Connect"}</button>
    </form>
    ${
      connection &&
      html`<div class="apart">
        ${askFirst({
          action: `${address}/disconnect`,
          verb: "Disconnect",
          lost: "The stored API token is deleted, and briefs can no longer be sent. Briefs already sent stay in the tool.",
        })}
      </div>`
    }`;
}
