import type { z } from "zod";
import type { AuditLogEntry } from "../../../../tools/audit-log/list-audit-log.ts";
import { html, type Html } from "../html.ts";
import { instantShown } from "../page.ts";

type Entry = z.output<typeof AuditLogEntry>;

/** The filters, as the page's query names them. */
export const AUDIT_FILTERS = ["user_id", "endpoint", "outcome", "from", "to"] as const;

/** Who did what in an organization, newest first. */
export function auditLogPage(view: {
  organization: { id: string };
  members: readonly { id: string; name: string; email: string }[];
  query: URLSearchParams;
  rows: readonly Entry[];
  next: string | null;
}): Html {
  const { rows, next, query } = view;
  const address = `/organizations/${view.organization.id}/audit-log`;
  return html` <h1>Audit log</h1>
    <p class="lead">Every call to this organization, and its members’ sign-ins. Times are UTC.</p>
    ${filterForm(address, view)}
    ${
      rows.length === 0
        ? html`<div class="empty">
            <p>
              ${next === null ? "No matching entries." : "No matching entries among the newest. Continue with Older."}
            </p>
          </div>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Audit log">
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Who</th>
                  <th scope="col">What</th>
                  <th scope="col">Outcome</th>
                  <th scope="col">Interface</th>
                  <th scope="col">Request</th>
                </tr>
              </thead>
              <tbody>
                ${rows.map(entryRow)}
              </tbody>
            </table>
          </div>`
    }
    <p class="pager">
      ${query.has("cursor") && html`<a href="${address}?${filters(query)}">Newest</a>`}
      ${next !== null && html`<a href="${address}?${filters(query, next)}">Older</a>`}
    </p>`;
}

/** The query of a page: its filters and its cursor. */
function filters(query: URLSearchParams, cursor?: string): string {
  const shown = new URLSearchParams();
  for (const key of AUDIT_FILTERS) {
    const value = query.get(key) ?? "";
    if (value !== "") shown.set(key, value);
  }
  if (cursor !== undefined) shown.set("cursor", cursor);
  return shown.toString();
}

function filterForm(
  address: string,
  { members, query }: { members: readonly { id: string; name: string; email: string }[]; query: URLSearchParams },
): Html {
  const value = (key: (typeof AUDIT_FILTERS)[number]) => query.get(key) ?? "";
  return html`<form method="get" action="${address}" class="filters">
    <label class="field"
      >Who
      <select name="user_id">
        <option value="">Anyone</option>
        ${members.map(
          ({ id, email }) =>
            html`<option value="${id}" ${id === value("user_id") && html` selected`}>${email}</option>`,
        )}
      </select></label
    >
    <label class="field"
      >What
      <input
        name="endpoint"
        maxlength="100"
        autocomplete="off"
        placeholder="createInvitation"
        value="${value("endpoint")}"
    /></label>
    <label class="field"
      >Outcome
      <input name="outcome" maxlength="50" autocomplete="off" placeholder="ok, FORBIDDEN" value="${value("outcome")}"
    /></label>
    <label class="field">From <input name="from" type="date" value="${value("from")}" /></label>
    <label class="field">To (inclusive) <input name="to" type="date" value="${value("to")}" /></label>
    <button class="secondary">Show</button>
  </form>`;
}

function entryRow(entry: Entry): Html {
  const isOk = entry.outcome === "ok";
  const cost = entry.cost_credits;
  return html`<tr>
    <td class="when">${instantShown(entry.at, "", "second")}</td>
    <td>
      ${entry.user_email ?? (entry.user_id === null ? html`<span class="faint">unknown</span>` : stranger(entry))}
    </td>
    <td>
      <code>${entry.endpoint}</code>
      ${entry.endpoint === "refusedCalls" && html`<small>${callsOutside(entry)}</small>`}
      ${cost !== null && html`<small>${cost} credits, confirmed by ${entry.confirmation}</small>`}
    </td>
    <td><span class="badge${isOk ? " badge-good" : " badge-warn"}">${entry.outcome}</span></td>
    <td>${entry.door}${entry.client_id !== null && html` <small>${entry.client_name ?? entry.client_id}</small>`}</td>
    <td><code class="id">${entry.request_id}</code></td>
  </tr>`;
}

function callsOutside({ count }: Entry): string {
  return `${count} ${count === 1 ? "call" : "calls"} by callers outside the organization within a minute`;
}

function stranger({ user_id }: Entry): Html {
  return html`<span class="faint">not a member <code class="id">${user_id}</code></span>`;
}
