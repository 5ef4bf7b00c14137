import { Router } from "express";
import { listAuditLog } from "../../../../tools/audit-log/list-audit-log.ts";
import { listMembers } from "../../../../tools/members/list-members.ts";
import { getOrganization } from "../../../../tools/organizations/get-organization.ts";
import { later } from "../../../../core/time.ts";
import { AUDIT_FILTERS, auditLogPage } from "../pages/audit-log.ts";
import { organizationPage } from "../pages/organization.ts";
import type { Answer, Visit } from "./page-with-forms.ts";
import { sendPage } from "../page.ts";
import { forVisitor } from "../for-visitor.ts";
import { invokeAs, queryOf, type Web } from "../visit.ts";

const DAY_MS = 86_400_000;
const ROWS = 50;

/** The page where owners see who did what. */
export function auditLogRouter(web: Web): Router {
  return Router().get(
    "/organizations/:organization_id/audit-log",
    forVisitor(web, (visitor, request, response) => showAuditLog({ visitor, request, response }, web)),
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
  const log = (await invokeAs(visitor, { endpoint: listAuditLog, input, response }, deps)) as Answer<
    typeof listAuditLog
  >;
  const content = auditLogPage({ organization, members: members.data, query, rows: log.data, next: log.next_cursor });
  sendPage(response, { title: "Audit log", body: organizationPage("/audit-log", organization, visitor, content) });
}

/** The filters of the form. Days are whole UTC days, the last one inclusive. */
function wanted(query: URLSearchParams): Record<string, string> {
  const filled = [...AUDIT_FILTERS, "cursor"].flatMap((key): [string, string][] => {
    const value = query.get(key)?.trim() ?? "";
    if (value === "") return [];
    if (key !== "from" && key !== "to") return [[key, value]];
    const day = `${value}T00:00:00.000Z`;
    return [[key, key === "to" && !Number.isNaN(Date.parse(day)) ? later(day, DAY_MS) : day]];
  });
  return Object.fromEntries(filled);
}
