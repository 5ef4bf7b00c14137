import type { z } from "zod";
import type { PlatformIntegration } from "../../../../tools/platform-integrations/platform-integration.ts";
import { html, type Html } from "../html.ts";
import { alertBox, instantShown } from "../page.ts";
import { fact } from "./actions.ts";

/** Address of the page on which a workspace is connected to the partner. */
export function authoringToolAddress(workspace: { organization_id: string; workspace_id: string }): string {
  return `/writers/${workspace.organization_id}/${workspace.workspace_id}`;
}

/** How briefs of one workspace reach its writers. */
export function authoringToolPage(view: {
  address: string;
  workspaceId: string;
  workspaceName: string;
  connection: z.output<typeof PlatformIntegration> | undefined;
  /** What was typed and refused. */
  typed?: URLSearchParams | undefined;
  done?: string | undefined;
  problem?: string | undefined;
}): Html {
  const { connection, typed, address } = view;
  const value = (field: string, stored: string | number | null | undefined) =>
    typed?.get(field) ?? String(stored ?? "");
  const platforms = address.replace(/^\/writers\//, "/platform-accounts/");
  return html` <p class="crumb"><a href="/actions?workspace=${view.workspaceId}">Recommended actions</a></p>
    <h1>Writers of ${view.workspaceName}</h1>
    <p class="lead">
      Briefs of this workspace go to the tool in which your writers work. Its token is kept sealed and never shown
      again. Accounts at advertising and video platforms are under
      <a href="${platforms}">Platform accounts</a>.
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
        >Token of the writers' tool
        <input name="api_token" type="password" autocomplete="off" maxlength="1024" ${!connection && html` required`} />
        ${connection && html`<span class="hint">Leave it empty to keep the stored one.</span>`}</label
      >
      <label class="field"
        >Workspace there
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
        <span class="hint">One e-mail address a line. Leave it empty where the tool has its own.</span></label
      >
      <label class="field"
        >Longest brief, in characters
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
      html`<form method="post" action="${address}/disconnect" class="apart">
        <button class="secondary danger">Disconnect</button>
      </form>`
    }`;
}
