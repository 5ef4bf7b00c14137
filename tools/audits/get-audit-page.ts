import { z } from "zod";
import { AUDIT_AREAS } from "../../core/audits/check.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id, outsideTextSchema } from "../../core/shared/fields.ts";
import { findAuditPage, type AuditPageDetails } from "../../db/audits/audit-pages.ts";
import { endpoint } from "../endpoint.ts";
import { AuditFinding, outcomesField, selectFindings, TOOL_OUTCOMES } from "./audit-check.ts";
import { AuditPageSummary, shapePage } from "./audit-page.ts";
import { auditPath, AuditRun, readRun, shapeRun } from "./audit-run.ts";

const SUMMARY_ONLY_FIELDS = {
  failed: true,
  warned: true,
  crawlability: true,
  semantic: true,
  content: true,
  checks: true,
} as const;

export const AuditPage = AuditPageSummary.omit(SUMMARY_ONLY_FIELDS)
  .extend({
    scores: z.array(
      z.object({
        area: z.enum(AUDIT_AREAS),
        score: z.int().nullable(),
        checks: z.int().describe("Checks that it rests on, those of the site among them."),
      }),
    ),
    answer: z
      .object({
        status: z.int(),
        final_url: outsideTextSchema().describe("The address that answered."),
        redirects: z.array(z.object({ url: outsideTextSchema(), status: z.int(), to: outsideTextSchema() })),
        response_ms: z.int().describe("Until its first byte."),
        bytes: z.int(),
      })
      .nullable()
      .describe("Null where none came."),
    counts: z
      .object({ pass: z.int(), warn: z.int(), fail: z.int(), skipped: z.int() })
      .describe("All checks of the page, by outcome."),
    checks: z.array(AuditFinding).describe("The worst first. Those of the site are in get_audit."),
    run: AuditRun,
  })
  .meta({ id: "AuditPage" });

export const getAuditPage = endpoint({
  name: "getAuditPage",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/pages/:page_id",
  group: "GEO Audits",
  summary: "Read a page of an audit",
  description:
    "What is wrong with one page, where exactly, and how to fix it: every check with its evidence and source.",
  access: { workspace: "viewer" },
  page: "/audits/:organization_id/:workspace_id/:analysis_id/:page_id",
  input: z.strictObject({
    ...auditPath,
    page_id: Id.describe("Page; list_audit_pages gives it."),
    outcomes: outcomesField.describe("Of checks. Tools: fail and warn by default."),
  }),
  toolDefaults: TOOL_OUTCOMES,
  output: AuditPage,
  async handle(input, { tenant }) {
    const { analysis, run } = await readRun(tenant, input);
    const ids = { analysisId: analysis.id, pageId: input.page_id };
    const page = run && (await findAuditPage(tenant, { ...ids, collectId: run.collectId }));
    if (!page) throw notFound("page");
    return {
      ...shapePage(page),
      scores: AUDIT_AREAS.map((area) => ({ area, ...(page.scores?.[area] ?? { score: null, checks: 0 }) })),
      answer: shapeAnswer(page.address),
      counts: countOutcomes(page),
      checks: selectFindings(page.findings, input.outcomes),
      run: shapeRun(run),
    };
  },
});

function shapeAnswer(address: AuditPageDetails["address"]): z.input<typeof AuditPage>["answer"] {
  if (!address) return null;
  const { status, finalUrl, redirects, responseMs, bytes } = address;
  return {
    status,
    final_url: finalUrl,
    redirects: redirects.map(({ url, status: sent, to }) => ({ url, status: sent, to })),
    response_ms: Math.round(responseMs),
    bytes,
  };
}

function countOutcomes({ outcomes: { fail, warn, skipped, passed } }: AuditPageDetails) {
  return { pass: passed, warn: warn.length, fail: fail.length, skipped: skipped.length };
}
