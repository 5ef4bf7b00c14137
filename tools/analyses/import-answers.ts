import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { findAnalysis, type AnalysisRow } from "../../db/measuring/analyses.ts";
import { insertAnswers, type ReadAnswer } from "../../db/measuring/answers.ts";
import { insertImportedCollect } from "../../db/measuring/collects.ts";
import { hasQuestionsToCome } from "../../db/measuring/launches.ts";
import { listQuestionTexts } from "../../db/measuring/questions.ts";
import { completeCollect } from "./complete-collect.ts";
import type { CompiledCatalog } from "../../core/reading/catalog.ts";
import { AppError, notFound } from "../../core/errors.ts";
import { analysisPath, Id } from "../../core/fields.ts";
import type { ImportLine, RejectedLine } from "../../core/reading/import-line.ts";
import { localeOf, placeOf } from "../../core/place.ts";
import { readableText } from "../../core/reading/reading.ts";
import { parseAnswerLines } from "../../core/reading/recorded-line.ts";
import { endpoint, type Context } from "../endpoint.ts";
import type { MeasuredKind } from "./analysis-kind.ts";
import { acceptLines } from "./import-lines.ts";
import { kindOf } from "./kinds.ts";

export const importAnswers = endpoint({
  name: "importAnswers",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/answers/import",
  status: 201,
  group: "Analyses",
  summary: "Import recorded answers as a collect",
  description:
    "Use this to measure answers that were collected elsewhere: one JSON object a line, one request a collect. Keywords that the analysis does not have are added; lines that are broken are named and the others kept. It costs no credits.",
  access: { workspace: "editor" },
  notATool: "bulk data",
  body: "lines",
  input: z.strictObject({
    ...analysisPath,
    lines: z
      .string()
      .describe(
        "JSON Lines: keyword, source, text or results, and optionally citations, run, thematic, topic, collected_at, model, provider, locale.",
      ),
  }),
  output: z.object({
    collect_id: Id,
    number: z.int().describe("Number of the collect in its analysis."),
    accepted: z.int(),
    rejected: z.array(z.object({ line: z.int().describe("1 for the first line."), message: z.string() })),
  }),
  errors: ["NOT_FOUND", "UNPROCESSABLE"],
  async handle({ analysis_id: analysisId, lines }, context) {
    const { tenant, now, newId } = context;
    const analysis = await findAnalysis(tenant, analysisId);
    if (!analysis) throw notFound("analysis");
    const kind = kindOf(analysis.type);
    if (!kind.imports || analysis.status === "archived") {
      throw new AppError("UNPROCESSABLE", "Answers are imported into a search analysis that is not archived.");
    }
    if (await hasQuestionsToCome(tenant, analysisId)) {
      throw new AppError(
        "CONFLICT",
        "The keywords of this analysis are still being stored. Try again in some seconds.",
      );
    }
    const known = new Map((await listQuestionTexts(tenant, analysisId)).map(({ id, text }) => [text, id]));
    const room = { known, mostQuestions: kind.imports.mostQuestions };
    const { lines: accepted, rejected } = acceptLines(parseAnswerLines(lines), room);
    if (accepted.length === 0) throw nothingAccepted(rejected);
    const { compiled: catalog } = await context.catalogs.of(tenant);
    const values = accepted.map((line) => line.value);
    const questionIds = await kind.imports.add(tenant, known, values, { analysisId, catalog, newId });
    const collect = await insertImportedCollect(tenant, { id: newId(), analysisId, at: now, answers: values.length });
    const rawLines = lines.split("\n");
    const answers: ReadAnswer[] = [];
    for (const { line, value } of accepted) {
      const ids = { collectId: collect.id, questionId: questionIds.get(value.keyword) ?? "" };
      answers.push(
        answerOf({ value, rawBody: rawLines[line - 1] ?? "" }, { ...ids, kind, analysis, catalog }, context),
      );
      // Reading is work: what else waits for this thread goes first.
      await nextTurn();
    }
    await insertAnswers(tenant.db, answers);
    const sums = await kind.sum((work) => work(tenant.db), collect);
    await completeCollect(tenant.db, { collect, kind, sums }, { now, newId });
    return { collect_id: collect.id, number: collect.number, accepted: accepted.length, rejected };
  },
});

function answerOf(
  { value, rawBody }: { value: ImportLine; rawBody: string },
  into: { collectId: string; questionId: string; kind: MeasuredKind; analysis: AnalysisRow; catalog: CompiledCatalog },
  { tenant, now, newId }: Context,
): ReadAnswer {
  const { keyword: prompt, source, run } = value;
  return {
    answer: {
      id: newId(),
      organizationId: tenant.organizationId,
      workspaceId: tenant.workspaceId,
      analysisId: into.analysis.id,
      collectId: into.collectId,
      questionId: into.questionId,
      source,
      run,
      prompt,
      rawBody,
      text: readableText(value, source),
      results: value.results,
      provider: value.provider ?? "import",
      model: value.model ?? null,
      locale: value.locale ?? localeOf(placeOf(into.analysis.setup)),
      collectionMethod: "import",
      costCredits: 0,
      costUsd: null,
      collectedAt: value.collected_at ?? now,
    },
    reading: into.kind.read(value, into.catalog, { prompt, source }),
  };
}

function nothingAccepted(rejected: readonly RejectedLine[]): AppError {
  const fields = rejected.slice(0, 100).map(({ line, message }) => ({ path: `lines.${line}`, message }));
  const message = rejected.length === 0 ? "The body has no lines." : "None of the lines could be read.";
  return new AppError("VALIDATION_FAILED", message, { fields });
}
