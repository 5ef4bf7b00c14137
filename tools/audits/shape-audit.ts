import { z } from "zod";
import type { AuditSummary } from "../../core/audits/audit-rows.ts";
import { AUDIT_AREAS, CHECK_OUTCOMES, type CheckOutcome } from "../../core/audits/check.ts";
import { PAGE_TYPES } from "../../core/audits/page-type.ts";
import { COLLECT_STATUSES } from "../../core/analyses/analysis.ts";
import { Id, outsideTextSchema } from "../../core/shared/fields.ts";
import type { AnalysisRow } from "../../db/analyses/analyses.ts";
import { listAuditPageRows } from "../../db/audits/audit-pages.ts";
import type { AuditRow } from "../../db/audits/audits.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { AuditFinding, checkFields, shapeCheck, selectFindings } from "./audit-check.ts";
import { AuditRun } from "./audit-run.ts";

const scoreField = z.int().nullable();
const pageCount = z.int().describe("Number of pages.");

export const AuditSchema = z
  .object({
    run: AuditRun.nullable().describe("Run that these results describe; null until the first run completes."),
    under_way: z
      .object({
        collect_id: Id,
        number: z.int(),
        status: z.enum(COLLECT_STATUSES),
        planned: pageCount,
        succeeded: pageCount,
        failed: pageCount,
      })
      .nullable()
      .describe("Run in progress."),
    scores: z
      .array(
        z.object({
          area: z.enum(AUDIT_AREAS),
          score: scoreField.describe("Average over pages, 0 to 100."),
          checks: z.int().describe("Number of page checks behind the score."),
          previous: scoreField.describe("Score of the previous run."),
          change: scoreField,
        }),
      )
      .describe("crawlability: can be found and fetched; semantic: can be understood; content: can be quoted."),
    pages: z
      .object({ audited: pageCount, skipped: pageCount, pass: pageCount, warn: pageCount, fail: pageCount })
      .nullable()
      .describe("Pages by the outcome of their worst check."),
    page_types: z.array(z.object({ type: z.enum(PAGE_TYPES), pages: pageCount })),
    skipped_reasons: z.array(z.object({ reason: z.string(), pages: pageCount })),
    checks: z
      .array(
        z.object({
          ...checkFields,
          pass: pageCount,
          warn: pageCount,
          fail: pageCount,
          skipped: pageCount,
          fixed: z.int().nullable().describe("Pages that pass now but did not in the previous run."),
          broken: z.int().nullable().describe("Pages that passed in the previous run but do not now."),
        }),
      )
      .describe("Checks, largest loss of score first."),
    site_checks: z.array(
      AuditFinding.extend({
        previous: z.enum(CHECK_OUTCOMES).nullable().describe("Outcome in the previous run, if different."),
      }),
    ),
    worst_pages: z
      .array(
        z.object({
          page_id: Id,
          url: outsideTextSchema(),
          title: outsideTextSchema().nullable(),
          type: z.enum(PAGE_TYPES).nullable(),
          score: scoreField,
          failed: z.array(z.string()).describe("Failed checks; empty if none fails."),
        }),
      )
      .describe("Pages with the lowest scores, whether or not a check fails."),
    previous: z
      .object({ collect_id: Id, number: z.int() })
      .nullable()
      .describe("Previous run, the baseline of changes; null for the first run."),
    remarks: z.array(z.string()).describe("Remarks on this run, such as left-out pages or an invented site."),
  })
  .meta({ id: "Audit" });

type ShownAudit = Omit<z.input<typeof AuditSchema>, "run" | "under_way">;

interface AuditRequest {
  analysis: AnalysisRow;
  run: AuditRow | undefined;
  isInProgress: boolean;
  outcomes: readonly CheckOutcome[] | undefined;
}

export async function shapeAudit(tenant: Tenant, request: AuditRequest): Promise<ShownAudit> {
  const { run, outcomes } = request;
  const { summary = null, findings = [] } = run ?? {};
  return {
    scores: summary ? shapeScores(summary) : [],
    pages: summary && shapePages(summary),
    page_types: PAGE_TYPES.map((type) => ({ type, pages: summary?.types[type] ?? 0 })).filter(({ pages }) => pages > 0),
    skipped_reasons: summary ? [...summary.skippedReasons] : [],
    checks: summary ? shapeChecks(summary, outcomes) : [],
    site_checks: selectFindings(findings, outcomes).map((finding) => ({
      ...finding,
      previous: summary?.before?.siteChanges.find(({ check }) => check === finding.check)?.was ?? null,
    })),
    worst_pages: run && summary ? await readWorstPages(tenant, run.collectId, summary) : [],
    previous: summary?.before ? { collect_id: summary.before.collectId, number: summary.before.number } : null,
    remarks: listRemarks(request),
  };
}

function shapeScores({ scores, before }: AuditSummary): ShownAudit["scores"] {
  return AUDIT_AREAS.map((area) => {
    const { score, checks } = scores[area];
    const previous = before?.scores[area].score ?? null;
    return { area, score, checks, previous, change: score === null || previous === null ? null : score - previous };
  });
}

function shapePages({ pages, outcomes: { pass, warn, fail } }: AuditSummary): ShownAudit["pages"] {
  return { ...pages, pass, warn, fail };
}

/** Sorted by lost weight; a warning loses half. */
function shapeChecks({ checks }: AuditSummary, outcomes: readonly CheckOutcome[] | undefined): ShownAudit["checks"] {
  const lost = ({ weight, fail, warn }: ShownAudit["checks"][number]) => (weight ?? 0) * (fail + warn / 2);
  return Object.entries(checks)
    .map(([id, counts]) => ({ ...shapeCheck(id), ...counts }))
    .filter((check) => outcomes?.some((outcome) => check[outcome] > 0) ?? true)
    .toSorted((a, b) => lost(b) - lost(a) || b.fail - a.fail || b.warn - a.warn);
}

async function readWorstPages(tenant: Tenant, collectId: string, { worst }: AuditSummary) {
  const rows = new Map((await listAuditPageRows(tenant, collectId, worst)).map((row) => [row.pageId, row]));
  return worst.flatMap((id) => {
    const row = rows.get(id);
    if (!row) return [];
    const { url, title, pageType, correctedType, score, outcomes } = row;
    return [{ page_id: id, url, title, type: correctedType ?? pageType, score, failed: [...outcomes.fail] }];
  });
}

function listRemarks({ analysis, run, isInProgress }: AuditRequest): string[] {
  if (analysis.type !== "geo_audit") {
    return ["This analysis is not a GEO audit. list_analyses with type=geo_audit lists those that are."];
  }
  if (!run) return [isInProgress ? "The first run has not ended: see under_way." : "No run has ended yet."];
  return [
    ...(run.isSimulated
      ? ["Simulated: the site is a bundled example, and none of its pages were fetched from the web."]
      : []),
    ...(run.summary?.notes ?? ["This run has not ended: its pages are in list_audit_pages as they come."]),
  ];
}
