import { z } from "zod";
import { AUDIT_AREAS, EVIDENCE_STRENGTHS, type CheckDeclaration } from "../../core/audits/check.ts";
import { CHECKS_VERSION, PAGE_CHECKS, SITE_CHECKS } from "../../core/audits/checks.ts";
import { endpoint } from "../endpoint.ts";

const AuditCheckSchema = z
  .object({
    check: z.string(),
    of: z.enum(["page", "site"]),
    area: z.enum(AUDIT_AREAS),
    title: z.string().describe("Requirement."),
    weight: z.number().describe("Weight in the score of its area, up to 5; 0: reported only."),
    failure_cap: z.int().nullable().describe("Maximum score of the area while this check fails; null: no maximum."),
    how_to_fix: z.string(),
    source: z.object({ name: z.string(), url: z.string() }),
    strength: z.enum(EVIDENCE_STRENGTHS).describe("Strength of the evidence that the rule matters for AI answers."),
  })
  .meta({ id: "AuditCheck" });

export const listAuditChecks = endpoint({
  name: "listAuditChecks",
  method: "GET",
  path: "/v1/audit-checks",
  group: "GEO Audits",
  summary: "List the checks of audits",
  description:
    "List all checks that audits run, with weight, fix and the evidence for each rule. For results of your website use get_audit.",
  access: "signed-in",
  input: z.strictObject({ area: z.enum(AUDIT_AREAS).optional().describe("Only this area.") }),
  toolColumns: ["check", "of", "area", "title", "weight", "how_to_fix", "strength"],
  output: z.object({
    data: z.array(AuditCheckSchema),
    checks_version: z.int().describe("Version of the checks; each change adds 1."),
  }),
  async handle({ area }) {
    const all = [...PAGE_CHECKS.map(shape("page")), ...SITE_CHECKS.map(shape("site"))];
    return { data: all.filter((check) => area === undefined || check.area === area), checks_version: CHECKS_VERSION };
  },
});

function shape(level: "page" | "site") {
  return ({ id, area, title, weight, failureCap, howToFix, source, strength }: CheckDeclaration) => ({
    check: id,
    of: level,
    area,
    title,
    weight,
    failure_cap: failureCap ?? null,
    how_to_fix: howToFix,
    source,
    strength,
  });
}
