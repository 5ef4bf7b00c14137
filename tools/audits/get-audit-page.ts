import { z } from "zod";
import { AUDIT_AREAS } from "../../core/audits/check.ts";
import { notFound } from "../../core/shared/errors.ts";
import { Id, outsideTextSchema } from "../../core/shared/fields.ts";
import { findAuditPage, type AuditPageDetails } from "../../db/audits/audit-pages.ts";
import { endpoint } from "../endpoint.ts";
import { AuditFinding, outcomesField, selectFindings, TOOL_OUTCOMES } from "./audit-check.ts";
import { AuditPageSummarySchema, shapePage } from "./audit-page.ts";
import { auditPath, AuditRun, readRun, shapeRun } from "./audit-run.ts";

const SUMMARY_ONLY_FIELDS = {
  failed: true,
  warned: true,
  crawlability: true,
  semantic: true,
  content: true,
  checks: true,
} as const;

export const AuditPageSchema = AuditPageSummarySchema.omit(SUMMARY_ONLY_FIELDS)
  .extend({
    scores: z.array(
      z.object({
        area: z.enum(AUDIT_AREAS),
        score: z.int().nullable(),
        checks: z.int().describe("Number of checks behind the score, including checks of the site."),
      }),
    ),
    answer: z
      .object({
        status: z.int(),
        final_url: outsideTextSchema().describe("Final URL after redirects."),
        redirects: z.array(z.object({ url: outsideTextSchema(), status: z.int(), to: outsideTextSchema() })),
        response_ms: z.int().describe("Milliseconds to the first byte."),
        bytes: z.int(),
      })
      .nullable()
      .describe("Null without a response."),
    counts: z
      .object({ pass: z.int(), warn: z.int(), fail: z.int(), skipped: z.int() })
      .describe("Number of checks by outcome."),
    checks: z.array(AuditFinding).describe("Checks of the page, worst first. get_audit has the checks of the site."),
    run: AuditRun,
  })
  .meta({ id: "AuditPage" });

export const getAuditPage = endpoint({
  name: "getAuditPage",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/pages/:page_id",
  group: "GEO Audits",
  summary: "Read a page of an audit",
  description: "Read the problems of one audited page: each failing check with location, evidence and fix.",
  access: { workspace: "viewer" },
  analysisTypes: ["geo_audit"],
  page: "/audits/:organization_id/:workspace_id/:analysis_id/:page_id",
  input: z.strictObject({
    ...auditPath,
    page_id: Id.describe("Page id, from list_audit_pages."),
    outcomes: outcomesField.describe("Only checks with these outcomes. Default in tools: fail and warn."),
  }),
  toolDefaults: TOOL_OUTCOMES,
  output: AuditPageSchema,
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

function shapeAnswer(address: AuditPageDetails["address"]): z.input<typeof AuditPageSchema>["answer"] {
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
