import { gatherSums } from "../../../db/measuring/rollups.ts";
import { readCapture } from "../../../core/reading/reading.ts";
import type { AnalysisKind } from "../analysis-kind.ts";
import { addKeywords } from "./import-keywords.ts";
import { planKeywords, planSearchAnalysis } from "./search-analysis-plan.ts";
import { presentSearchAnalysis } from "./search-analysis-presentation.ts";
import { powerIn, priceOf } from "./search-analysis-price.ts";
import {
  MAX_KEYWORDS,
  normaliseSetup,
  searchAnalysisFields,
  StoredSettings,
  StoredSetup,
  type SearchAnalysisSetup,
} from "./search-analysis-setup.ts";

/** Keywords, grouped by thematic and topic, that assistants and search engines are asked. */
export const searchAnalysis: AnalysisKind<typeof searchAnalysisFields, SearchAnalysisSetup> = {
  type: "search_analysis",
  noun: "search analysis",
  fields: searchAnalysisFields,
  setup: StoredSetup,
  normalise: normaliseSetup,
  sources: (setup) => setup.sources,
  price: priceOf,
  power: powerIn,
  unitCredits: (prices) => prices.search_analysis_question,
  present: presentSearchAnalysis,
  plan: planSearchAnalysis,
  asking: (settings) => {
    const { sources, runs_per_prompt: runs } = StoredSettings.parse(settings);
    return { sources, runs };
  },
  questions: planKeywords,
  read: readCapture,
  sum: gatherSums,
  afterCollect: ["suggest_brands", "recommend_actions"],
  afterRereading: ["recommend_actions"],
  imports: { mostQuestions: MAX_KEYWORDS, add: addKeywords },
};
