import { z } from "zod";
import { findAnalysis, type AnalysisRow } from "../../db/analyses/analyses.ts";
import { insertImportedCollect } from "../../db/analyses/collects.ts";
import { countLargeImportsInProgress, findImport, insertImport, listRejections } from "../../db/answers/imports.ts";
import { listImportParts } from "../../db/answers/import-parts.ts";
import { enqueueBackgroundJob } from "../../db/jobs/background-jobs.ts";
import { requireQuota } from "../../db/credits/quotas.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { hasQuestionsToCome } from "../../db/analyses/collect-progress.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { analysisPath, Id } from "../../core/shared/fields.ts";
import { importLimitError } from "../../core/analyses/imports.ts";
import { endpoint, Queued } from "../endpoint.ts";
import { RejectedLinesField } from "./import-report.ts";
import { getAnalysisKind } from "../analyses/kinds/kinds.ts";

const StoredLinesSchema = z.strictObject({
  sha256: z.string(),
  size_bytes: z.int(),
  lines: z.int(),
  is_large: z.boolean(),
});

const QueuedImportSchema = z.object({
  collect_id: Id,
  number: z.int().describe("Number of the run in its analysis."),
  status: z.literal("queued"),
});

export const importAnswers = endpoint({
  name: "importAnswers",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/answers/import",
  status: 201,
  group: "Analyses",
  summary: "Import recorded answers as a run",
  logged: "Imported answers into analysis {analysis_id}",
  description:
    "Imports answers that were collected elsewhere: one JSON object per line, one request per run (`collect`). New prompts (`keyword`) are added to the analysis. Invalid lines are reported, valid ones imported. Free. Up to 1,000 lines and 1 MB return 201 after the metrics are computed; larger imports return 202, and get_import_report has the result. Answers that span more than 31 days become one run per month.",
  access: { workspace: "editor" },
  notATool: "bulk data",
  body: "lines",
  input: z.strictObject({
    ...analysisPath,
    lines: StoredLinesSchema.describe(
      "JSON Lines with keyword (the prompt), source, text or results, and optionally citations, run (the repeat), thematic, topic, collected_at, model, provider, locale.",
    ),
  }),
  output: z.object({
    collect_id: Id,
    number: z.int().describe("Number of the run in its analysis."),
    accepted: z.int().describe("Lines that became answers; 0 means that the run failed."),
    rejected: RejectedLinesField,
  }),
  errors: ["NOT_FOUND", "UNPROCESSABLE", "QUOTA_EXCEEDED"],
  async admitFile({ tenant }, path) {
    await requireImportable(tenant, path["analysis_id"] ?? "");
    await requireQuota(tenant, "answers");
    await requireQuota(tenant, "answer_bytes");
  },
  async handle({ analysis_id: analysisId, lines }, { tenant, now, newId, importLimits }) {
    const { setupVersion } = await requireImportable(tenant, analysisId);
    if (lines.lines === 0) throw new AppError("VALIDATION_FAILED", "The body has no lines.");
    await requireQuota(tenant, "answers");
    await requireQuota(tenant, "answer_bytes");
    const open = lines.is_large ? await countLargeImportsInProgress(tenant.db, tenant.organizationId) : undefined;
    const full = open && importLimitError(open, importLimits);
    if (full) throw full;
    const collect = await insertImportedCollect(tenant, { id: newId(), analysisId, setupVersion, at: now });
    const { sha256, size_bytes: sizeBytes, is_large: isLarge } = lines;
    await insertImport(tenant, { collectId: collect.id, sha256, sizeBytes, isLarge, createdAt: now });
    await enqueueBackgroundJob(tenant, { id: newId(), kind: "import_answers", subjectId: collect.id, at: now });
    return new Queued({ collect_id: collect.id, number: collect.number, status: "queued" } satisfies z.input<
      typeof QueuedImportSchema
    >);
  },
  job: {
    queued: QueuedImportSchema,
    async findResult({ collect_id, number }: z.output<typeof QueuedImportSchema>, tenant) {
      const imported = await findImport(tenant, collect_id);
      if (!imported || imported.body.isLarge) return null;
      if (imported.collect.finishedAt === null) return undefined;
      return {
        collect_id,
        number,
        accepted: [imported.collect, ...(await listImportParts(tenant, collect_id))].reduce(
          (sum, { succeeded }) => sum + succeeded,
          0,
        ),
        rejected: await listRejections(tenant, collect_id),
      };
    },
  },
});

async function requireImportable(tenant: Tenant, analysisId: string): Promise<AnalysisRow> {
  const analysis = requireFound(await findAnalysis(tenant, analysisId), "analysis");
  if (!getAnalysisKind(analysis.type).imports || analysis.status === "archived") {
    throw new AppError("UNPROCESSABLE", "Answers can only be imported into a search analysis that is not archived.");
  }
  if (!(await hasQuestionsToCome(tenant, analysisId))) return analysis;
  throw new AppError("CONFLICT", "The prompts of this analysis are still being stored. Try again in a few seconds.");
}
