import { z } from "zod";
import { AUDIT_AREAS, CHECK_OUTCOMES } from "../../core/audits/check.ts";
import { PAGE_TYPES } from "../../core/audits/page-type.ts";
import { Id, InstantField, outsideTextSchema } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import type { AuditPageRow } from "../../db/audits/audit-pages.ts";
import { AuditChangeSchema } from "./audit-check.ts";

const scoreField = z.int().nullable().describe("0 to 100; null if nothing could be checked.");

export const pageTypeFields = {
  id: Id,
  url: outsideTextSchema(),
  type: z.enum(PAGE_TYPES).nullable().describe("Page type used for the checks; null if the page was not read."),
  type_confidence: z.number().nullable().describe("Confidence of the detected type, 0 to 1; 1 if a person set it."),
  type_corrected: z.enum(PAGE_TYPES).nullable().describe("Page type set by a person, used from the next run on."),
};

export const AuditPageSummarySchema = z
  .object({
    ...pageTypeFields,
    title: outsideTextSchema().nullable(),
    outcome: z.enum(CHECK_OUTCOMES).describe("Worst outcome of the checks; skipped: the page could not be fetched."),
    skipped_reason: z.string().nullable(),
    score: scoreField.describe("Average of the three area scores."),
    crawlability: scoreField,
    semantic: scoreField,
    content: scoreField,
    checks: z.int().describe("Number of checks behind the scores, including checks of the site."),
    failed: z.array(z.string()).describe("Failed checks."),
    warned: z.array(z.string()),
    changes: z.array(AuditChangeSchema).describe("Checks whose outcome changed since the previous run."),
    fetched_at: InstantField,
  })
  .meta({ id: "AuditPageSummary" });

export function shapePage(row: AuditPageRow): z.input<typeof AuditPageSummarySchema> {
  const { scores, outcomes } = row;
  return {
    ...toSnakeCase(row),
    id: row.pageId,
    type: row.pageType,
    type_corrected: row.correctedType,
    crawlability: scores?.crawlability.score ?? null,
    semantic: scores?.semantic.score ?? null,
    content: scores?.content.score ?? null,
    checks: AUDIT_AREAS.reduce((sum, area) => sum + (scores?.[area].checks ?? 0), 0),
    failed: [...outcomes.fail],
    warned: [...outcomes.warn],
  };
}
