import { gatherSums } from "../../../db/measuring/rollups.ts";
import { readCapture } from "../../../core/reading/reading.ts";
import type { AnalysisKind } from "../analysis-kind.ts";
import { askedIn } from "../setup-faults.ts";
import { addKeywords } from "./import-keywords.ts";
import { planKeywords, planSearchAnalysis } from "./search-analysis-plan.ts";
import { presentSearchAnalysis } from "./search-analysis-presentation.ts";
import { keywordsCost, powerIn, unknownKeywords } from "./search-analysis-price.ts";
import {
  MAX_KEYWORDS,
  normaliseSetup,
  searchAnalysisFields,
  ShownSettings,
  StoredSettings,
  StoredSetup,
  type SearchAnalysisSetup,
} from "./search-analysis-setup.ts";
import { searchSetupOf } from "./search-setup-of.ts";

/** Keywords, grouped by thematic and topic, that assistants and search engines are asked. */
export const searchAnalysis: AnalysisKind<typeof searchAnalysisFields, SearchAnalysisSetup> = {
  type: "search_analysis",
  noun: "search analysis",
  fields: searchAnalysisFields,
  setup: StoredSetup,
  normalise: normaliseSetup,
  sources: askedIn,
  settings: ShownSettings,
  setupOf: searchSetupOf,
  unknownKeywords,
  power: powerIn,
  headline: "Generic keywords",
  unitCredits: (prices) => prices.search_analysis_question,
  collectCost: keywordsCost,
  spent: async (_read, { succeeded, unitCredits }) => succeeded * unitCredits,
  answerCredits: (unitCredits) => unitCredits,
  present: presentSearchAnalysis,
  plan: planSearchAnalysis,
  asking: (settings) => {
    const { runs_per_prompt: runs, ...asked } = StoredSettings.parse(settings);
    return { sources: askedIn(asked), runs };
  },
  questions: planKeywords,
  read: readCapture,
  sum: gatherSums,
  afterCollect: ["suggest_brands", "recommend_actions"],
  readsKeywords: true,
  afterRereading: ["recommend_actions"],
  imports: { mostQuestions: MAX_KEYWORDS, add: addKeywords },
};
