import { z } from "zod";
import { AUDIT_AREAS, CHECK_OUTCOMES, EVIDENCE_STRENGTHS, type CheckOutcome } from "../../core/audits/check.ts";
import { findCheck } from "../../core/audits/checks.ts";
import type { StoredFinding } from "../../core/audits/audit-rows.ts";
import { outsideTextSchema } from "../../core/shared/fields.ts";

/** A check of an earlier run may no longer exist; then only its id is known. */
export const checkFields = {
  check: z.string().describe("Check id, described by list_audit_checks."),
  title: z.string().describe("Requirement."),
  area: z.enum(AUDIT_AREAS).nullable(),
  weight: z.number().nullable().describe("Weight in the score of its area; 0: reported only."),
};

export const AuditFinding = z
  .object({
    ...checkFields,
    outcome: z.enum(CHECK_OUTCOMES),
    message: z.string().describe("Finding; for a skipped check, the reason."),
    evidence: z
      .array(z.object({ excerpt: outsideTextSchema(), line: z.int().nullable() }))
      .describe("Excerpts of the HTML; line is null if no line applies."),
    how_to_fix: z.string().nullable(),
    source: z.object({ name: z.string(), url: z.string() }).nullable().describe("Source of the rule."),
    strength: z.enum(EVIDENCE_STRENGTHS).nullable().describe("Strength of the evidence for the rule."),
  })
  .meta({ id: "AuditFinding" });

export const AuditChangeSchema = z
  .object({ check: z.string(), was: z.enum(CHECK_OUTCOMES), is: z.enum(CHECK_OUTCOMES) })
  .meta({ id: "AuditChange" });

export const outcomesField = z.array(z.enum(CHECK_OUTCOMES)).min(1).max(100).optional();

export const TOOL_OUTCOMES = { outcomes: ["fail", "warn"] } as const;

export function shapeCheck(id: string): z.input<z.ZodObject<typeof checkFields>> {
  const check = findCheck(id);
  return { check: id, title: check?.title ?? id, area: check?.area ?? null, weight: check?.weight ?? null };
}

export function shapeFinding({ check: id, outcome, message, evidence }: StoredFinding): z.input<typeof AuditFinding> {
  const check = findCheck(id);
  return {
    ...shapeCheck(id),
    outcome,
    message,
    evidence: evidence.map(({ excerpt, line }) => ({ excerpt, line })),
    how_to_fix: check?.howToFix ?? null,
    source: check?.source ?? null,
    strength: check?.strength ?? null,
  };
}

const WORST_FIRST: readonly CheckOutcome[] = ["fail", "warn", "skipped", "pass"];

export function selectFindings(findings: readonly StoredFinding[], outcomes: readonly CheckOutcome[] | undefined) {
  return findings
    .filter(({ outcome }) => outcomes?.includes(outcome) ?? true)
    .map(shapeFinding)
    .toSorted(
      (a, b) => WORST_FIRST.indexOf(a.outcome) - WORST_FIRST.indexOf(b.outcome) || (b.weight ?? 0) - (a.weight ?? 0),
    );
}
