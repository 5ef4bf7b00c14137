import { z } from "zod";
import { COLLECT_STATUSES } from "../../core/analysis.ts";
import { AUDIT_AREAS, CHECK_OUTCOMES } from "../../core/audit/check.ts";
import { PAGE_TYPES } from "../../core/audit/page-type.ts";
import { Id, outsideText } from "../../core/fields.ts";
import { findCollectUnderWay } from "../../db/measuring/audits.ts";
import { endpoint } from "../endpoint.ts";
import { AuditFinding, ofCheck, outcomesField, TOOL_OUTCOMES } from "./audit-check.ts";
import { auditPath, AuditRun, readRun, shapeRun } from "./audit-run.ts";
import { shapeAudit } from "./shape-audit.ts";

const score = z.int().nullable();
const pages = z.int().describe("Pages.");

export const Audit = z
  .object({
    run: AuditRun.nullable().describe("What all of this is of; null until the first run has ended."),
    under_way: z
      .object({
        collect_id: Id,
        number: z.int(),
        status: z.enum(COLLECT_STATUSES),
        planned: pages,
        succeeded: pages,
        failed: pages,
      })
      .nullable()
      .describe("A run that has not ended."),
    scores: z
      .array(
        z.object({
          area: z.enum(AUDIT_AREAS),
          score: score.describe("0 to 100, mean over pages."),
          checks: z.int().describe("Checks of pages that it rests on."),
          previous: score.describe("In the run before."),
          change: score,
        }),
      )
      .describe("Can it be found and fetched (crawlability), understood (semantic), quoted (content)?"),
    pages: z
      .object({ audited: pages, skipped: pages, pass: pages, warn: pages, fail: pages })
      .nullable()
      .describe("pass, warn and fail: by their worst check."),
    page_types: z.array(z.object({ type: z.enum(PAGE_TYPES), pages })),
    skipped_reasons: z.array(z.object({ reason: z.string(), pages })),
    checks: z
      .array(
        z.object({
          ...ofCheck,
          pass: pages,
          warn: pages,
          fail: pages,
          skipped: pages,
          fixed: z.int().nullable().describe("Pages that pass now and did not in the run before."),
          broken: z.int().nullable().describe("The reverse."),
        }),
      )
      .describe("Those that cost the scores most come first."),
    site_checks: z.array(
      AuditFinding.extend({
        previous: z.enum(CHECK_OUTCOMES).nullable().describe("In the run before, where it was another."),
      }),
    ),
    worst_pages: z.array(
      z.object({
        page_id: Id,
        url: outsideText(),
        title: outsideText().nullable(),
        type: z.enum(PAGE_TYPES).nullable(),
        score,
        failed: z.array(z.string()),
      }),
    ),
    previous: z
      .object({ collect_id: Id, number: z.int() })
      .nullable()
      .describe("The run before, which changes are against; null of the first."),
    remarks: z.array(z.string()).describe("What to know of this run: what it left out, or that it is invented."),
  })
  .meta({ id: "Audit" });

export const getAudit = endpoint({
  name: "getAudit",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/audit",
  group: "GEO Audits",
  summary: "Read an audit",
  description: "How ready a site is for answer engines: scores, failing checks, where it is worst, what changed.",
  access: { workspace: "viewer" },
  input: z.strictObject({
    ...auditPath,
    outcomes: outcomesField.describe("Of checks. Tools: fail and warn by default."),
  }),
  toolDefaults: TOOL_OUTCOMES,
  output: Audit,
  async handle(input, { tenant }) {
    const { analysis, run } = await readRun(tenant, input);
    const underWay = await findCollectUnderWay(tenant, analysis.id);
    return {
      run: run ? shapeRun(run) : null,
      under_way: underWay ? { ...underWay, collect_id: underWay.collectId } : null,
      ...(await shapeAudit(tenant, { analysis, run, isUnderWay: underWay !== undefined, outcomes: input.outcomes })),
    };
  },
});
