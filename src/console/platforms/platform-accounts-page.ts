import type { z } from "zod";
import type { PlatformAccount } from "../../../tools/platforms/platform-account.ts";
import type { PlatformIntegration } from "../../../tools/platforms/platform-integration.ts";
import type { PlatformKind } from "../../../core/platforms/platforms.ts";
import { confirmationForm } from "../../http/pages/confirmation-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { postForm } from "../../http/pages/post-form.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { alertBox, renderInstant } from "../../http/pages/page.ts";
import { definitionItem } from "../actions/actions-page.ts";
import { authoringToolAddress } from "../briefs/authoring-tool-page.ts";

type Connection = z.output<typeof PlatformIntegration>;
type ListedAccount = z.output<typeof PlatformAccount>;

export const CONSENT_RESULTS = {
  connected: "Connected.",
  denied: "Not connected: permission was denied. Connect again to retry.",
  unavailable: "Not connected: the platform cannot be reached. Try again in a moment.",
  failed:
    "Not connected: the platform's response is not valid. Connect again. If it still fails, contact your administrator.",
} as const;
export type ConsentResult = keyof typeof CONSENT_RESULTS;

export function buildPlatformAccountsAddress(workspace: { organization_id: string; workspace_id: string }): string {
  return `/platform-accounts/${workspace.organization_id}/${workspace.workspace_id}`;
}

interface PlatformAccountsView {
  workspace: { id: string; organization_id: string; name: string };
  /** Platforms with their names; a name is undefined if the platform is not configured. */
  platforms: { platform: PlatformKind; name: string | undefined }[];
  connections: Connection[];
  accounts: ListedAccount[];
  nextCursor: string | null;
  came?: ConsentResult | undefined;
  done?: string | undefined;
  problem?: string | undefined;
}

const PLATFORM_LABELS: Record<PlatformKind, string> = {
  advertising: "Advertising platform",
  social_video: "Social video platform",
};

export function renderPlatformAccountsPage(view: PlatformAccountsView): Html {
  const { workspace, came } = view;
  const address = buildPlatformAccountsAddress({
    organization_id: workspace.organization_id,
    workspace_id: workspace.id,
  });
  const done = view.done ?? (came === "connected" ? CONSENT_RESULTS.connected : undefined);
  const problem = view.problem ?? (came !== undefined && came !== "connected" ? CONSENT_RESULTS[came] : undefined);
  const authoringTool = authoringToolAddress({
    organization_id: workspace.organization_id,
    workspace_id: workspace.id,
  });
  return html` <p class="crumb"><a href="/settings">Settings</a></p>
    <h1>Platform accounts of ${workspace.name}</h1>
    <p class="lead">
      Connect the platforms where this brand advertises and publishes, and choose which accounts this workspace uses. To
      send briefs to writers, connect a <a href="${authoringTool}">content tool</a>.
    </p>
    ${done !== undefined && html`<p class="done" role="status">${done}</p>`} ${alertBox(problem)}
    ${view.platforms.map(({ platform, name }) => {
      const connection = view.connections.find((one) => one.platform === platform);
      const accounts = view.accounts.filter((one) => one.platform === platform);
      return renderPlatformSection({ platform, name, connection, accounts, address });
    })}
    ${view.nextCursor !== null && html`<p><a href="${address}?cursor=${encodeURIComponent(view.nextCursor)}">More accounts</a></p>`}`;
}

function renderPlatformSection(section: {
  platform: PlatformKind;
  name: string | undefined;
  connection: Connection | undefined;
  accounts: ListedAccount[];
  address: string;
}): Html {
  const { platform, name, connection, accounts, address } = section;
  const title = PLATFORM_LABELS[platform];
  return html`<section aria-labelledby="${platform}" class="item">
    <h2 id="${platform}">${name ?? title} ${connection && renderStatusBadge(connection)}</h2>
    ${name !== undefined && name !== title && html`<p class="hint">${title}</p>`}
    ${connection?.problem && html`<p class="alert">${connection.problem.message}</p>`}
    ${connection && renderConnectionFacts(connection)}
    ${!connection && name === undefined && html`<p class="faint">Not configured. Ask your administrator to set it up.</p>`}
    ${!connection && name !== undefined && html`<p>Not connected.</p>`}
    <div class="row-actions">
      ${name !== undefined && connection?.status !== "disabled" && renderConnectForm(section)}
      ${connection && renderConnectionForms(connection, { name: name ?? title, address })}
    </div>
    ${connection && renderAccountList(accounts, { name: name ?? title, address })}
  </section>`;
}

function renderStatusBadge({ status }: Connection): Html {
  return html`<span class="badge${status === "active" ? " badge-good" : " badge-warn"}">${status}</span>`;
}

function renderConnectionFacts(connection: Connection): Html {
  return html`<dl class="meta">
    ${definitionItem("Connected since", renderInstant(connection.created_at, "", "day"))}
    ${definitionItem("Accounts listed", renderInstant(connection.accounts_listed_at, "Not yet"))}
    ${connection.scopes.length > 0 && definitionItem("Allowed", connection.scopes.join(", "))}
  </dl>`;
}

function renderConnectForm({ platform, name, connection, address }: Parameters<typeof renderPlatformSection>[0]): Html {
  const again = connection !== undefined;
  return postForm(
    { action: `${address}/connect`, hidden: { platform } },
    html`<button class="${again && connection.status === "active" ? "secondary" : "primary"} own-width">
      ${again ? "Reconnect" : "Connect"}<span class="unseen"> ${name}</span>
    </button>`,
  );
}

/** Each action is a separate form, so that it works without JavaScript. */
function renderConnectionForms({ id, status }: Connection, { name, address }: { name: string; address: string }): Html {
  const hidden = { connection: id ?? "" };
  const form = (action: string, label: string) =>
    postForm(
      { action: `${address}/${action}`, hidden },
      html`<button class="secondary own-width">${label}<span class="unseen"> ${name}</span></button>`,
    );
  return html`${status === "active" && form("refresh", "Refresh accounts")}
  ${status === "active" && form("disable", "Disable")} ${status === "disabled" && form("enable", "Enable")}
  ${confirmationForm({
    action: `${address}/disconnect`,
    verb: "Disconnect",
    target: name,
    effect: "Its tokens and the list of its accounts are deleted. To use it again, reconnect it.",
    hidden,
  })}`;
}

function renderAccountList(accounts: ListedAccount[], { name, address }: { name: string; address: string }): Html {
  if (accounts.length === 0) return html`<p class="faint">No accounts yet.</p>`;
  return scrollTable({
    label: `Accounts at ${name}`,
    columns: ["Account", "Identifier", "Status", { unseen: "Change" }],
    rows: accounts.map((account) => renderAccountRow(account, address)),
  });
}

function renderAccountRow(account: ListedAccount, address: string): Html {
  const isActive = account.status === "active";
  return html`<tr>
    <th scope="row">${account.name}</th>
    <td><code>${account.external_id}</code></td>
    <td>
      <span class="badge${isActive && " badge-good"}">${account.status}</span>
      ${!account.reachable && html`<span class="badge">not reachable</span>`}
    </td>
    <td>
      ${postForm(
        { action: `${address}/${isActive ? "deactivate" : "activate"}`, hidden: { account: account.id } },
        html`<button class="link">
          ${isActive ? "Deactivate" : "Activate"}<span class="unseen"> ${account.name}</span>
        </button>`,
      )}
    </td>
  </tr>`;
}
