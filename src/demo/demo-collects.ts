import { compileCatalog, type CompiledCatalog } from "../../core/reading/catalog.ts";
import { readableText } from "../../core/reading/reading.ts";
import { localeOf } from "../../core/place.ts";
import type { Instant } from "../../core/time.ts";
import { listTrackedBrands } from "../../db/catalog/brands.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { insertAnswers, type ReadAnswer } from "../../db/measuring/answers.ts";
import { addedAnswers, countEndedJobs } from "../../db/measuring/collect-progress.ts";
import { insertCollectWithoutJobs } from "../../db/measuring/collects.ts";
import { listQuestionTexts } from "../../db/measuring/questions.ts";
import type { Prices } from "../../tools/analyses/collect-cost.ts";
import { completeCollect } from "../../tools/analyses/complete-collect.ts";
import { searchAnalysis } from "../../tools/analyses/search/search-analysis.ts";
import { keywordsOf, type SearchAnalysisSetup } from "../../tools/analyses/search/search-analysis-setup.ts";
import type { Question } from "../outside/sources/provider.ts";
import { simulateAnswer, simulated } from "../outside/sources/simulated.ts";
import type { World } from "../outside/sources/world-file.ts";

/** What the demo's collects ask. */
export interface DemoAsking {
  world: World;
  analysisId: string;
  setup: SearchAnalysisSetup;
  unitCredits: number;
  prices: Prices;
  newId: () => string;
}

/**
 * Stores a collect of the demo that was over at `at`, with its answers, sums and credits, in the transaction of the tenant. Its history
 * is weeks old when the demo is made, so no worker can ask for it.
 */
export async function insertDemoCollect(
  tenant: Tenant,
  { world, analysisId, setup, unitCredits, prices, newId }: DemoAsking,
  { number, at, isLast }: { number: number; at: Instant; isLast: boolean },
): Promise<void> {
  const { db } = tenant;
  const { sources, runs_per_prompt: runs } = setup;
  const id = newId();
  const asked = { setupVersion: 1, sources, runs, unitCredits };
  const stored = await listQuestionTexts(tenant, analysisId);
  const { credits } = searchAnalysis.collectCost(searchAnalysis.plan(setup), prices);
  await insertCollectWithoutJobs(tenant, { id, analysisId, number, ...asked, questions: stored.length, credits, at });
  const ids = new Map(stored.map((question) => [question.text, question.id]));
  const catalog = compileCatalog(await listTrackedBrands(tenant));
  const answers = questionsOf(setup, number, catalog).map((question): ReadAnswer => {
    const whose = { organizationId: tenant.organizationId, workspaceId: tenant.workspaceId, analysisId, collectId: id };
    const questionId = ids.get(question.prompt) ?? "";
    return answerTo(world, question, catalog, {
      ...whose,
      id: newId(),
      questionId,
      costCredits: unitCredits,
      collectedAt: at,
    });
  });
  await insertAnswers(db, answers);
  const added = addedAnswers(answers.map(({ answer }) => answer));
  const collect = await countEndedJobs(db, id, { succeeded: answers.length, failed: 0, added });
  if (!collect) throw new Error("A collect of the demo ended before its answers were stored.");
  // What follows from older figures is out of date at once.
  const kind = isLast ? searchAnalysis : { ...searchAnalysis, afterCollect: [] };
  const sums = await kind.sum(async (read) => read(db), collect);
  const spent = await kind.spent(async (read) => read(db), collect);
  await completeCollect(db, { collect, kind, sums, spent }, { now: at, newId });
}

/** What a collect asks, in the order of its jobs. */
function questionsOf(setup: SearchAnalysisSetup, collectNumber: number, { brands }: CompiledCatalog): Question[] {
  const { sources, runs_per_prompt: runs, country, language } = setup;
  return Array.from({ length: runs }, (_, index) => index + 1).flatMap((run) =>
    [...keywordsOf(setup)].flatMap(({ keyword, thematic, topic }) =>
      sources.map((source): Question => {
        const asked = { prompt: keyword.text, source, run, collectNumber, thematic, topic };
        return { ...asked, persona: null, country, language, brands };
      }),
    ),
  );
}

function answerTo(
  world: World,
  question: Question,
  catalog: CompiledCatalog,
  row: Pick<
    ReadAnswer["answer"],
    "id" | "organizationId" | "workspaceId" | "analysisId" | "collectId" | "questionId" | "costCredits" | "collectedAt"
  >,
): ReadAnswer {
  const { prompt, source, run } = question;
  const answered = simulateAnswer(world, question);
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
      locale: localeOf(question),
      collectionMethod: "simulated",
      costUsd,
    },
    reading: searchAnalysis.read(answered, catalog, { prompt, source }),
    catalog,
  };
}
