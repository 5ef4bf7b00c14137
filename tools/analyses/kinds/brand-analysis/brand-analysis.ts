import { listCompetitorIds, type AnalysisRow } from "../../../../db/analyses/analyses.ts";
import { findSetup } from "../../../../db/analyses/setups.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import type { Instant } from "../../../../core/shared/time.ts";
import { toUsd } from "../../../../core/credits/micros.ts";
import { copyName } from "../../copy-name.ts";
import {
  StoredSetupSchema,
  type BrandAnalysisSetup,
  brandAnalysisFields,
  normaliseSetup,
  ShownSettingsSchema,
} from "./brand-analysis-setup.ts";
import type { QuestionRows } from "../../../../db/analyses/questions.ts";
import type { AnalysisPlan, QuestionRange, AnalysisKind } from "../analysis-kind.ts";
import { countQuestions, expandQuestions, type BrandQuestion } from "./brand-questions.ts";
import { computeBrandSums } from "../../../../db/metrics/brand-sums.ts";
import { readBrandAnswer } from "../../../../core/perception/read-brand-answer.ts";
import { listJobSources } from "../../setup/setup-faults.ts";
import { computeGroupsCost, computePower, countGroupCredits } from "./brand-analysis-cost.ts";
import { presentBrandAnalysis } from "./brand-analysis-presentation.ts";

export const brandAnalysis: AnalysisKind<typeof brandAnalysisFields, BrandAnalysisSetup> = {
  type: "brand_analysis",
  noun: "brand analysis",
  fields: brandAnalysisFields,
  setup: StoredSetupSchema,
  normalise: normaliseSetup,
  sources: listJobSources,
  settingsSchema: ShownSettingsSchema,
  loadSetup: loadBrandSetup,
  power: computePower,
  promptsNoun: "unaided prompts",
  unitCredits: (prices) => prices.brand_analysis_prompts,
  collectCost: computeGroupsCost,
  countSpentCredits: countGroupCredits,
  answerCredits: () => 0,
  present: presentBrandAnalysis,
  plan: planBrandAnalysis,
  buildRunPlan: (settings) => {
    const { runs_per_prompt: runs, ...asked } = ShownSettingsSchema.parse(settings);
    return { sources: listJobSources(asked), runs };
  },
  buildQuestions: planQuestions,
  read: readBrandAnswer,
  computeTotals: computeBrandSums,
  // Reads claims again, since brand facts may have changed while answers were checked against them.
  afterCollect: ["suggest_brands", "recommend_actions", "read_claims"],
  afterRereading: ["recommend_actions", "read_claims"],
};

function planBrandAnalysis(setup: BrandAnalysisSetup): AnalysisPlan {
  const { name: _name, schedule: _schedule, brand_id: _brand, competitor_ids: _competitors, ...rest } = setup;
  const { prompts, ends_at: _end, max_spend_usd: _cap, ...settings } = rest;
  return {
    brandId: setup.brand_id,
    competitorIds: setup.competitor_ids,
    settings,
    prompts,
    questionCount: countQuestions(setup),
  };
}

function planQuestions(setup: BrandAnalysisSetup, part: QuestionRange, newId: () => string): QuestionRows {
  const { analysisId, first, limit } = part;
  const { questions } = expandQuestions(setup);
  return {
    facets: [],
    questions: questions.slice(first, first + limit).map((question, index) => ({
      id: newId(),
      analysisId,
      position: first + index,
      ...toQuestionColumns(question, setup.brand_id),
    })),
  };
}

function toQuestionColumns({ prompt, country, personaId }: BrandQuestion, ownId: string) {
  const { kind, brand_id: brandId } = prompt;
  return {
    text: prompt.text,
    type: kind === "unaided" ? ("Generic" as const) : ("Brand" as const),
    personaId,
    intent: [],
    promptKind: kind,
    country,
    askedBrandId: kind === "comparison" ? ownId : brandId,
    otherBrandId: kind === "comparison" ? brandId : null,
    lookAlike: prompt.look_alike,
    attribute: prompt.attribute,
    asksProsCons: prompt.asks_pros_cons,
    tag: prompt.tag,
    template: prompt.template,
  };
}

async function loadBrandSetup(tenant: Tenant, analysis: AnalysisRow, now: Instant): Promise<BrandAnalysisSetup> {
  const { id, name, brandId, schedule, endsAt, spendCapMicros } = analysis;
  const { setup, prompts } = await findSetup(tenant, analysis);
  return StoredSetupSchema.parse({
    ...setup,
    name: copyName(name),
    brand_id: brandId,
    competitor_ids: await listCompetitorIds(tenant, id),
    schedule,
    prompts,
    ...(endsAt === null || endsAt <= now ? {} : { ends_at: endsAt }),
    ...(spendCapMicros === null ? {} : { max_spend_usd: toUsd(spendCapMicros) }),
  });
}
