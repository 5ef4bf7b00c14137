import { pipeline } from "node:stream/promises";
import { Router } from "express";
import { eventRow } from "../../../../db/identity/audit/audit-event.ts";
import { listAuditLog } from "../../../../tools/audit-log/list-audit-log.ts";
import { listMembers } from "../../../../tools/members/list-members.ts";
import { getOrganization } from "../../../../tools/organizations/get-organization.ts";
import { later } from "../../../../core/time.ts";
import { AUDIT_FILTERS, auditLogPage } from "../pages/audit-log.ts";
import { organizationPage } from "../pages/organization.ts";
import type { Answer, Visit } from "./page-with-forms.ts";
import type { Deps } from "../../../call/deps.ts";
import { csvLine } from "../../../../core/csv-line.ts";
import { asCsv } from "../csv.ts";
import { sendPage } from "../page.ts";
import { forVisitor } from "../for-visitor.ts";
import { invokeAs, queryOf, type Web } from "../visit.ts";

const DAY_MS = 86_400_000;
const ROWS = 50;
/** The most that a list gives at once. */
const MOST_ROWS = 100;

/** The page where owners see who did what, and its entries as a file. */
export function auditLogRouter(web: Web): Router {
  const path = "/organizations/:organization_id/audit-log";
  return Router()
    .get(
      path,
      forVisitor(web, (visitor, request, response) => showAuditLog({ visitor, request, response }, web)),
    )
    .get(
      `${path}.csv`,
      forVisitor(web, (visitor, request, response) => exportAuditLog({ visitor, request, response }, web)),
    );
}

async function showAuditLog({ visitor, request, response }: Visit, { deps }: Web): Promise<void> {
  const path = { ...request.params };
  const query = queryOf(request.originalUrl);
  const organization = (await invokeAs(visitor, { endpoint: getOrganization, input: path, response }, deps)) as Answer<
    typeof getOrganization
  >;
  const members = (await invokeAs(
    visitor,
    { endpoint: listMembers, input: { ...path, limit: 100 }, response },
    deps,
  )) as Answer<typeof listMembers>;
  const input = { ...path, limit: ROWS, ...wanted(query) };
  const log = await readLog(input, { visitor, response }, deps);
  const content = auditLogPage({ organization, members: members.data, query, rows: log.data, next: log.next_cursor });
  sendPage(response, { title: "Audit log", body: organizationPage("/audit-log", organization, visitor, content) });
}

function readLog(
  input: Record<string, unknown>,
  { visitor, response }: Pick<Visit, "visitor" | "response">,
  deps: Deps,
): Promise<Answer<typeof listAuditLog>> {
  return invokeAs(visitor, { endpoint: listAuditLog, input, response }, deps) as Promise<Answer<typeof listAuditLog>>;
}

/**
 * Every entry that the filters leave, page by page as the reader takes them. What is written meanwhile is not in it; a file that
 * breaks off is not taken for a whole one, as its connection breaks too.
 */
async function exportAuditLog({ visitor, request, response }: Visit, { deps }: Web): Promise<void> {
  const { cursor: _, ...filters } = wanted(queryOf(request.originalUrl));
  const input = { to: deps.now(), ...request.params, limit: MOST_ROWS, ...filters };
  const first = await readLog(input, { visitor, response }, deps);
  const organizationId = String(request.params["organization_id"]);
  const requestId = response.locals["requestId"] as string;
  const { userId } = visitor;
  deps.audit.add(
    eventRow({ name: "exportAuditLog", organizationId, userId, door: "web", outcome: "ok", requestId }, deps),
  );
  asCsv(response, "audit-log.csv");
  async function* lines() {
    yield csvLine(COLUMNS);
    for (let page = first; ;) {
      yield page.data.map((entry) => csvLine(COLUMNS.map((column) => entry[column]))).join("");
      if (page.next_cursor === null) return;
      page = await readLog({ ...input, cursor: page.next_cursor }, { visitor, response }, deps);
    }
  }
  await pipeline(lines, response);
}

const COLUMNS = [
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

/** The filters of the form. Days are whole UTC days, the last one inclusive. */
function wanted(query: URLSearchParams): Record<string, string | boolean> {
  const texts = AUDIT_FILTERS.filter((key) => key !== "include_reads");
  const filled = [...texts, "cursor"].flatMap((key): [string, string][] => {
    const value = query.get(key)?.trim() ?? "";
    if (value === "") return [];
    if (key !== "from" && key !== "to") return [[key, value]];
    const day = `${value}T00:00:00.000Z`;
    return [[key, key === "to" && !Number.isNaN(Date.parse(day)) ? later(day, DAY_MS) : day]];
  });
  return { ...Object.fromEntries(filled), ...(query.get("include_reads") === "true" ? { include_reads: true } : {}) };
}
