import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";
import { readableText } from "../../core/reading/reading.ts";
import { toLocale } from "../../core/shared/analysis-location.ts";
import { isSource, toSource } from "../../core/sources/sources.ts";
import type { Instant } from "../../core/shared/time.ts";
import { listTrackedBrands } from "../../db/catalog/brands.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { insertAnswers, type ExtractedAnswer } from "../../db/answers/answers.ts";
import { sumAnswerTotals, addFinishedJobs } from "../../db/analyses/collect-progress.ts";
import { insertCollectWithoutJobs } from "../../db/analyses/collects.ts";
import { listQuestionTexts } from "../../db/analyses/questions.ts";
import type { MeasuredKind } from "../../tools/analyses/kinds/analysis-kind.ts";
import { completeCollect } from "../../tools/collects/complete-collect.ts";
import type { Question } from "../outside/sources/provider.ts";
import { simulateAnswer, simulated } from "../outside/sources/simulated/simulated.ts";
import type { SimulatedWorld } from "../outside/sources/simulated/world-file.ts";

export type DemoQuestion = Omit<Question, "source" | "run" | "collectNumber" | "brands">;

export interface DemoRunSetup {
  simulatedWorld: SimulatedWorld;
  analysisId: string;
  kind: MeasuredKind;
  settings: Record<string, unknown>;
  questions: readonly DemoQuestion[];
  unitCredits: number;
  credits: number;
  newId: () => string;
}

/** Dates in the past, so no worker claims the run. */
export async function insertDemoCollect(
  tenant: Tenant,
  { simulatedWorld, analysisId, kind, settings, questions, unitCredits, credits, newId }: DemoRunSetup,
  { number, at, isLast }: { number: number; at: Instant; isLast: boolean },
): Promise<void> {
  const { db } = tenant;
  const { sources: asks, runs } = kind.buildRunPlan(settings);
  const sources = asks.filter(isSource).map(toSource);
  const id = newId();
  const plan = { setupVersion: 1, sources, runs, unitCredits };
  const stored = await listQuestionTexts(tenant, analysisId);
  await insertCollectWithoutJobs(tenant, {
    id,
    analysisId,
    number,
    ...plan,
    questionCount: stored.length,
    credits,
    at,
  });
  const catalog = compileCatalog(await listTrackedBrands(tenant));
  const ids = { organizationId: tenant.organizationId, workspaceId: tenant.workspaceId, analysisId, collectId: id };
  const row = { ...ids, costCredits: kind.answerCredits(unitCredits), collectedAt: at };
  const answers = Array.from({ length: runs }, (_, index) => index + 1).flatMap((run) =>
    questions.flatMap((question, position) =>
      sources.map((source): ExtractedAnswer => {
        const one = { ...question, source, run, collectNumber: number, brands: catalog.brands };
        const questionId = stored[position]?.id ?? "";
        return readSimulatedAnswer(one, { simulatedWorld, kind, catalog }, { ...row, id: newId(), questionId });
      }),
    ),
  );
  await insertAnswers(db, answers);
  const added = sumAnswerTotals(answers.map(({ answer }) => answer));
  const collect = await addFinishedJobs(db, id, { succeeded: answers.length, failed: 0, added });
  if (!collect) throw new Error("A run of the demo completed before its answers were stored.");
  // Follow-up jobs of older runs would be outdated at once.
  const ended = { ...kind, afterCollect: isLast ? kind.afterCollect : [] };
  const sums = await kind.computeTotals(async (read) => read(db), collect);
  const spent = await kind.countSpentCredits(async (read) => read(db), collect);
  await completeCollect(db, { collect, kind: ended, sums, spent }, { now: at, newId });
}

function readSimulatedAnswer(
  question: Question,
  { simulatedWorld, kind, catalog }: { simulatedWorld: SimulatedWorld; kind: MeasuredKind; catalog: CompiledCatalog },
  row: Pick<
    ExtractedAnswer["answer"],
    "id" | "organizationId" | "workspaceId" | "analysisId" | "collectId" | "questionId" | "costCredits" | "collectedAt"
  >,
): ExtractedAnswer {
  const { prompt, source, run } = question;
  const answered = simulateAnswer(simulatedWorld, question);
  const { results, rawBody, model, costUsd } = answered;
  return {
    answer: {
      ...row,
      source,
      run,
      prompt,
      text: readableText(answered, source),
      results,
      rawBody,
      provider: simulated.name,
      model,
      locale: toLocale(question),
      collectionMethod: "simulated",
      costUsd,
    },
    reading: kind.read(answered, catalog, question),
    catalog,
  };
}
