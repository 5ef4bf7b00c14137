import type { z } from "zod";
import type { AuditLogEntrySchema } from "../../../tools/audit-log/list-audit-log.ts";
import { STATUS_BY_CODE } from "../../../core/shared/errors.ts";
import { endpoints } from "../../../tools/index.ts";
import { listAuditedActions, type AuditedAction } from "../../../tools/audit-log/audited-actions.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderInstant } from "../../http/pages/page.ts";

type AuditLogRow = z.output<typeof AuditLogEntrySchema>;

export const AUDIT_FILTERS = ["user_id", "endpoint", "outcome", "from", "to", "include_reads"] as const;

export function renderAuditLogPage(view: {
  organization: { id: string };
  members: readonly { id: string; name: string; email: string }[];
  query: URLSearchParams;
  rows: readonly AuditLogRow[];
  nextCursor: string | null;
}): Html {
  const { rows, nextCursor, query } = view;
  const address = `/organizations/${view.organization.id}/audit-log`;
  return html` <h1>Audit log</h1>
    <p class="lead">What was done in this organization, and its members’ sign-ins. Times are UTC.</p>
    ${filterForm(address, view)}
    <p class="pager"><a href="${address}.csv?${filterQuery(query)}" download>Export as CSV</a></p>
    ${
      rows.length === 0
        ? html`<div class="empty">
            <p>
              ${nextCursor === null ? "No matching entries." : "No matching entries among the newest. Continue with Older."}
            </p>
          </div>`
        : scrollTable({
            label: "Audit log",
            className: "log",
            columns: ["When", "Who", "What", "Outcome", "Through"],
            rows: rows.map(renderEntryRow),
          })
    }
    <p class="pager">
      ${query.has("cursor") && html`<a href="${address}?${filterQuery(query)}">Newest</a>`}
      ${nextCursor !== null && html`<a href="${address}?${filterQuery(query, nextCursor)}">Older</a>`}
    </p>`;
}

function filterQuery(query: URLSearchParams, cursor?: string): string {
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
        ${members.map(({ id, email }) => renderOption(id, email, value("user_id")))}
      </select></label
    >
    <label class="field"
      >What
      <select name="endpoint">
        <option value="">Anything</option>
        ${renderActionOptions(value("endpoint"))}
      </select></label
    >
    <label class="field"
      >Outcome
      <select name="outcome">
        <option value="">Any</option>
        ${AUDIT_OUTCOMES.map((code) => renderOption(code, formatOutcome(code), value("outcome")))}
      </select></label
    >
    <label class="field">From <input name="from" type="date" value="${value("from")}" /></label>
    <label class="field">To (inclusive) <input name="to" type="date" value="${value("to")}" /></label>
    <label class="scope"
      ><input
        type="checkbox"
        name="include_reads"
        value="true"
        ${value("include_reads") === "true" && html` checked`}
      />
      <span>Include reads</span></label
    >
    <button class="secondary">Apply</button>
  </form>`;
}

function renderOption(value: string, shown: string, chosen: string): Html {
  return html`<option value="${value}" ${value === chosen && html` selected`}>${shown}</option>`;
}

function renderActionOptions(chosen: string): Html[] {
  const actions = listAuditedActions(endpoints);
  const groups = new Map<string, AuditedAction[]>();
  for (const action of actions) {
    const name = action.isRead ? "Reading" : (action.group ?? "Signing in and accounts");
    groups.set(name, [...(groups.get(name) ?? []), action]);
  }
  return [...groups]
    .toSorted(([a], [b]) => Number(a === "Reading") - Number(b === "Reading"))
    .map(
      ([name, actionsOfGroup]) =>
        html`<optgroup label="${name}">
          ${actionsOfGroup.map((action) => renderOption(action.name, action.summary, chosen))}
        </optgroup>`,
    );
}

const AUDIT_OUTCOMES = ["ok", "asked", "unanswered", "cancelled", "declined", ...Object.keys(STATUS_BY_CODE)];

/** Such as `Validation failed` for `VALIDATION_FAILED`. */
function formatOutcome(code: string): string {
  if (code === "ok") return "Done";
  const words = code.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const INTERFACE_NAMES: Readonly<Record<string, string>> = {
  rest: "REST",
  mcp: "Assistant",
  web: "Browser",
  scim: "Directory",
  command: "Operator",
  service: "Service",
  link: "Link",
};

function renderEntryRow(entry: AuditLogRow): Html {
  const isOk = entry.outcome === "ok";
  const cost = entry.cost_credits;
  return html`<tr>
    <td class="when">${renderInstant(entry.at, "", "second")}</td>
    <td>
      ${entry.user_email ?? html`<span class="faint">${entry.user_id === null ? formatActor(entry) : renderNonMember(entry)}</span>`}
    </td>
    <td>
      ${entry.text} ${entry.endpoint === "refusedCalls" && html`<small>${describeOutsideCalls(entry)}</small>`}
      ${cost !== null && html`<small>${cost} credits, confirmed by ${entry.confirmation}</small>`}
      <small>Request <code class="id">${entry.request_id}</code></small>
    </td>
    <td><span class="badge${isOk ? " badge-good" : " badge-warn"}">${formatOutcome(entry.outcome)}</span></td>
    <td>
      ${INTERFACE_NAMES[entry.door] ?? entry.door}
      ${entry.client_id !== null && html` <small>${entry.client_name ?? entry.client_id}</small>`}
    </td>
  </tr>`;
}

function describeOutsideCalls({ count }: AuditLogRow): string {
  return `${count} ${count === 1 ? "call" : "calls"} by callers outside the organization within a minute`;
}

function renderNonMember({ user_id }: AuditLogRow): Html {
  return html`not a member <code class="id">${user_id}</code>`;
}

/** Actor of an entry without a signed-in person. */
function formatActor({ door }: AuditLogRow): string {
  const doers: Readonly<Record<string, string>> = {
    scim: "a directory",
    command: "an operator",
    service: "the service",
    link: "the holder of the link",
  };
  return doers[door] ?? "unknown";
}
