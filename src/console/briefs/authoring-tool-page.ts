import type { z } from "zod";
import type { PlatformIntegration } from "../../../tools/platforms/platform-integration.ts";
import type { StoredValues } from "../../http/pages/stale-form.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { inputField, textareaField } from "../../http/pages/fields.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { alertBox, renderInstant } from "../../http/pages/page.ts";
import { definitionItem } from "../actions/actions-page.ts";

export function authoringToolAddress(workspace: { organization_id: string; workspace_id: string }): string {
  return `/writers/${workspace.organization_id}/${workspace.workspace_id}`;
}

type PartnerConnection = z.output<typeof PlatformIntegration>;

/** Omits the token. */
export function toConnectionFields(
  connection: Pick<PartnerConnection, "partner_workspace_id" | "recipients" | "max_brief_length">,
): StoredValues {
  return {
    partner_workspace_id: connection.partner_workspace_id ?? "",
    recipients: connection.recipients.join("\n"),
    max_brief_length: String(connection.max_brief_length ?? ""),
  };
}

const DEFAULT_FIELDS: StoredValues = { partner_workspace_id: "", recipients: "", max_brief_length: "50000" };

export function renderAuthoringToolPage(view: {
  address: string;
  workspaceId: string;
  workspaceName: string;
  connection: PartnerConnection | undefined;
  done?: string | undefined;
  problem?: string | undefined;
}): Html {
  const { connection, address } = view;
  const values = connection ? toConnectionFields(connection) : DEFAULT_FIELDS;
  const platforms = address.replace(/^\/writers\//, "/platform-accounts/");
  return html` <p class="crumb"><a href="/actions?workspace=${view.workspaceId}">Recommended actions</a></p>
    <h1>Content tool of ${view.workspaceName}</h1>
    <p class="lead">
      Connect the tool that your writers work in, and send briefs to it. Its API token is stored encrypted and never
      shown again. Advertising and video accounts are under <a href="${platforms}">Platform accounts</a>.
    </p>
    ${view.done !== undefined && html`<p class="done" role="status">${view.done}</p>`} ${alertBox(view.problem)}
    ${
      connection &&
      html`<dl class="meta">
        ${definitionItem("Connected since", renderInstant(connection.created_at, "", "day"))}
        ${definitionItem("Token", `ends in ${connection.api_token_hint}`)}
      </dl>`
    }
    ${postForm(
      { action: `${address}/connect`, className: "stack", shown: values },
      (fields) =>
        html`<label class="field"
            >API token of the tool
            <input
              name="api_token"
              type="password"
              autocomplete="off"
              maxlength="1024"
              ${!connection && html` required`}
            />
            ${connection && html`<span class="hint">Leave empty to keep the stored token.</span>`}</label
          >
          ${inputField(fields, {
            name: "partner_workspace_id",
            label: "Workspace ID in the tool",
            attributes: html`required maxlength="255"`,
          })}
          ${textareaField(fields, {
            name: "recipients",
            label: "Recipients",
            hint: "One e-mail address per line. Leave empty to use the recipients set in the tool.",
            rows: 4,
          })}
          ${inputField(fields, {
            name: "max_brief_length",
            label: "Maximum brief length, in characters",
            attributes: html`type="number" min="1" max="1000000" required`,
          })}
          <button class="primary own-width">${connection ? "Save" : "Connect"}</button>`,
    )}
    ${
      connection &&
      html`<div class="apart">
        ${confirmationForm({
          action: `${address}/disconnect`,
          verb: "Disconnect",
          effect:
            "The stored API token is deleted, and briefs can no longer be sent. Briefs already sent stay in the tool.",
        })}
      </div>`
    }`;
}
