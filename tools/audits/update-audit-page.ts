import { z } from "zod";
import { PAGE_TYPES } from "../../core/audits/page-type.ts";
import { notFound } from "../../core/shared/errors.ts";
import { analysisPath, Id } from "../../core/shared/fields.ts";
import { correctPageType, listAuditPageRows } from "../../db/audits/audit-pages.ts";
import { findAudit } from "../../db/audits/audits.ts";
import { endpoint } from "../endpoint.ts";
import { pageTypeFields } from "./audit-page.ts";

export const updateAuditPage = endpoint({
  name: "updateAuditPage",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/pages/:page_id",
  group: "GEO Audits",
  summary: "Correct the type of a page",
  logged: "Corrected the type of a page of analysis {analysis_id} to {page_type}",
  description:
    "Corrects the detected type of a page. The correction persists; checks and scores follow with the next run.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...analysisPath,
    page_id: Id.describe("Page id, from list_audit_pages."),
    page_type: z.enum(PAGE_TYPES).nullable().describe("Type of the page; null withdraws a correction."),
  }),
  output: z.object(pageTypeFields).meta({ id: "AuditPageType" }),
  errors: ["NOT_FOUND"],
  async handle({ analysis_id: analysisId, page_id: pageId, page_type: pageType }, { tenant }) {
    const url = await correctPageType(tenant, { analysisId, pageId, pageType });
    if (url === undefined) throw notFound("page");
    const run = await findAudit(tenant, { analysisId });
    const [found] = run ? await listAuditPageRows(tenant, run.collectId, [pageId]) : [];
    return {
      id: pageId,
      url,
      type: found?.pageType ?? null,
      type_confidence: found?.typeConfidence ?? null,
      type_corrected: pageType,
    };
  },
});
