import { gatherBrandSums } from "../../../db/measuring/brand-sums.ts";
import { readBrandAnswer } from "../../../core/perception/read-brand-answer.ts";
import type { AnalysisKind } from "../analysis-kind.ts";
import { askedIn } from "../setup-faults.ts";
import { groupsCost, powerIn, spentOnGroups } from "./brand-analysis-cost.ts";
import { planBrandAnalysis, planQuestions } from "./brand-analysis-plan.ts";
import { presentBrandAnalysis } from "./brand-analysis-presentation.ts";
import {
  brandAnalysisFields,
  normaliseSetup,
  ShownSettings,
  StoredSetup,
  type BrandAnalysisSetup,
} from "./brand-analysis-setup.ts";
import { brandSetupOf } from "./brand-setup-of.ts";

/** Prompts about a brand and its rivals: who comes to mind, who is known, what is praised and blamed, and who is preferred. */
export const brandAnalysis: AnalysisKind<typeof brandAnalysisFields, BrandAnalysisSetup> = {
  type: "brand_analysis",
  noun: "brand analysis",
  fields: brandAnalysisFields,
  setup: StoredSetup,
  normalise: normaliseSetup,
  sources: askedIn,
  settings: ShownSettings,
  setupOf: brandSetupOf,
  power: powerIn,
  headline: "unaided prompts",
  unitCredits: (prices) => prices.brand_analysis_prompts,
  collectCost: groupsCost,
  spent: spentOnGroups,
  answerCredits: () => 0,
  present: presentBrandAnalysis,
  plan: planBrandAnalysis,
  asking: (settings) => {
    const { runs_per_prompt: runs, ...asked } = ShownSettings.parse(settings);
    return { sources: askedIn(asked), runs };
  },
  questions: planQuestions,
  read: readBrandAnswer,
  sum: gatherBrandSums,
  // Facts may have changed while answers were held against them.
  afterCollect: ["suggest_brands", "recommend_actions", "read_claims"],
  afterRereading: ["recommend_actions", "read_claims"],
};
