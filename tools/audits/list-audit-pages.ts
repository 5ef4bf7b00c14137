import { z } from "zod";
import { listSchema } from "../../core/shared/fields.ts";
import { parsePagination } from "../../core/shared/pagination.ts";
import { listAuditPageRows } from "../../db/audits/audit-pages.ts";
import { endpoint } from "../endpoint.ts";
import { AuditPageSummarySchema, shapePage } from "./audit-page.ts";
import { AuditRun, explainUnreadPages, readRun } from "./audit-run.ts";
import { AuditPagesInput, readsAllPages, selectPages } from "./select-pages.ts";

export const listAuditPages = endpoint({
  name: "listAuditPages",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/pages",
  group: "GEO Audits",
  summary: "List the pages of an audit",
  description:
    "List the audited pages (URLs) with score and outcome, worst first; `check` finds the pages that fail one check. get_audit_page has the problems of one page.",
  access: { workspace: "viewer" },
  whenEmpty: explainUnreadPages,
  analysisTypes: ["geo_audit"],
  input: AuditPagesInput,
  toolColumns: ["id", "url", "title", "type", "outcome", "skipped_reason", "score", "failed", "warned"],
  output: listSchema(AuditPageSummarySchema).extend({
    total_count: z.int().describe("Number of pages on all result pages."),
    is_simulated: AuditRun.shape.is_simulated,
  }),
  isHeavy: readsAllPages,
  errors: ["VALIDATION_FAILED"],
  async handle(input, { tenant }) {
    // The cursor pins the run: a later run may complete while a client pages.
    const page = parsePagination("audit-pages", input);
    const { run } = await readRun(tenant, { ...input, collect_id: input.collect_id ?? page.after?.[0] });
    if (!run) return { data: [], next_cursor: null, total_count: 0, is_simulated: false };
    const { ids, ...rest } = await selectPages(tenant, run.collectId, input, page);
    const rows = new Map((await listAuditPageRows(tenant, run.collectId, ids)).map((row) => [row.pageId, row]));
    return { data: ids.flatMap((id) => rows.get(id) ?? []).map(shapePage), ...rest, is_simulated: run.isSimulated };
  },
});
