import { pipeline } from "node:stream/promises";
import { toAuditRow } from "../../../db/audit-log/audit-event.ts";
import { listAuditLog } from "../../../tools/audit-log/list-audit-log.ts";
import { listMembers } from "../../../tools/members/list-members.ts";
import { getOrganization } from "../../../tools/organizations/get-organization.ts";
import { addMs } from "../../../core/shared/time.ts";
import { AUDIT_FILTERS, renderAuditLogPage } from "./audit-log-page.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import type { Answer } from "../../http/pages/call-endpoint.ts";
import { formatCsvLine } from "../../../core/shared/csv-line.ts";
import { setCsvHeaders } from "../../http/pages/csv.ts";
import { showOrganizationPage } from "../shared/show-page.ts";
import { pageRoute, type Route } from "../../http/pages/routes.ts";

const DAY_MS = 86_400_000;
const ENTRIES_PER_PAGE = 50;
const MAX_ROWS_PER_CALL = 100;

const AUDIT_LOG_PATH = "/organizations/:organization_id/audit-log";

export const auditLogRoutes: readonly Route[] = [
  pageRoute(AUDIT_LOG_PATH, showAuditLog),
  pageRoute(`${AUDIT_LOG_PATH}.csv`, sendAuditLogCsv),
];

async function showAuditLog(visit: Visit): Promise<void> {
  const { call, query } = visit;
  const path = { ...visit.request.params };
  const organization = await call(getOrganization, path);
  const members = await call(listMembers, { ...path, limit: 100 });
  const log = await call(listAuditLog, { ...path, limit: ENTRIES_PER_PAGE, ...parseLogFilters(query) });
  const content = renderAuditLogPage({
    organization,
    members: members.data,
    query,
    rows: log.data,
    nextCursor: log.next_cursor,
  });
  showOrganizationPage(visit, { title: "Audit log", part: "/audit-log", organization, content });
}

/** Omits entries written meanwhile. Breaks the connection on errors, to expose truncated files. */
async function sendAuditLogCsv({ visitor, request, response, query, call, web: { deps } }: Visit): Promise<void> {
  const { cursor: _, ...filters } = parseLogFilters(query);
  const input = { to: deps.now(), ...request.params, limit: MAX_ROWS_PER_CALL, ...filters };
  const first = await call(listAuditLog, input);
  const organizationId = String(request.params["organization_id"]);
  const requestId = response.locals["requestId"] as string;
  const { userId } = visitor;
  deps.audit.add(
    toAuditRow({ name: "exportAuditLog", organizationId, userId, door: "web", outcome: "ok", requestId }, deps),
  );
  setCsvHeaders(response, "audit-log.csv");
  async function* lines() {
    yield formatCsvLine(CSV_COLUMNS);
    for (let part = first; ;) {
      yield part.data.map((entry) => formatCsvLine(CSV_COLUMNS.map((column) => entry[column]))).join("");
      if (part.next_cursor === null) return;
      part = await call(listAuditLog, { ...input, cursor: part.next_cursor });
    }
  }
  await pipeline(lines, response);
}

const CSV_COLUMNS = [
  "at",
  "user_email",
  "user_id",
  "text",
  "endpoint",
  "outcome",
  "door",
  "client_name",
  "client_id",
  "workspace_id",
  "cost_credits",
  "confirmation",
  "request_id",
  "count",
] as const satisfies readonly (keyof Answer<typeof listAuditLog>["data"][number])[];

/** Days are UTC days; the last one is included. */
function parseLogFilters(query: URLSearchParams): Record<string, string | boolean> {
  const texts = AUDIT_FILTERS.filter((key) => key !== "include_reads");
  const filled = [...texts, "cursor"].flatMap((key): [string, string][] => {
    const value = query.get(key)?.trim() ?? "";
    if (value === "") return [];
    if (key !== "from" && key !== "to") return [[key, value]];
    const day = `${value}T00:00:00.000Z`;
    return [[key, key === "to" && !Number.isNaN(Date.parse(day)) ? addMs(day, DAY_MS) : day]];
  });
  return { ...Object.fromEntries(filled), ...(query.get("include_reads") === "true" ? { include_reads: true } : {}) };
}
