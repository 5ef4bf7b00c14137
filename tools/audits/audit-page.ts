import { z } from "zod";
import { AUDIT_AREAS, CHECK_OUTCOMES } from "../../core/audits/check.ts";
import { PAGE_TYPES } from "../../core/audits/page-type.ts";
import { Id, InstantField, outsideTextSchema } from "../../core/shared/fields.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import type { AuditPageRow } from "../../db/audits/audit-pages.ts";
import { AuditChange } from "./audit-check.ts";

const score = z.int().nullable().describe("0 to 100; null where nothing of it could be checked.");

export const pageTypeFields = {
  id: Id,
  url: outsideTextSchema(),
  type: z.enum(PAGE_TYPES).nullable().describe("As it was checked; null where it was not read."),
  type_confidence: z.number().nullable().describe("0 to 1; 1 where a person had said so."),
  type_corrected: z.enum(PAGE_TYPES).nullable().describe("What a person says it is: the next run checks it as that."),
};

export const AuditPageSummary = z
  .object({
    ...pageTypeFields,
    title: outsideTextSchema().nullable(),
    outcome: z.enum(CHECK_OUTCOMES).describe("The worst of its checks; skipped: it could not be fetched."),
    skipped_reason: z.string().nullable(),
    score: score.describe("Mean of the three."),
    crawlability: score,
    semantic: score,
    content: score,
    checks: z.int().describe("Checks that its scores rest on, those of the site among them."),
    failed: z.array(z.string()).describe("Checks that failed."),
    warned: z.array(z.string()),
    changes: z.array(AuditChange).describe("Checks with another outcome in the run before."),
    fetched_at: InstantField,
  })
  .meta({ id: "AuditPageSummary" });

export function shapePage(row: AuditPageRow): z.input<typeof AuditPageSummary> {
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
