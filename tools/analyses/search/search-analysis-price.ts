import type { WantedFigures } from "../../../core/keyword-figures.ts";
import { summedTogether } from "../../../core/sources.ts";
import type { MeasuredSpread } from "../../../core/statistics/measured-spread.ts";
import type { Cost } from "../../quotes/quote.ts";
import type { AskedSetup, Prices } from "../analysis-kind.ts";
import { costOfUnits } from "../collect-cost.ts";
import { powerOfSetup, type Power } from "../power.ts";
import { askedIn } from "../setup-faults.ts";
import { keywordsOf, StoredSettings, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

/** One credit price per keyword, source and run. */
export function keywordsCost({ settings, questions }: AskedSetup, { prices, adapters }: Prices): Cost {
  const { runs_per_prompt: runs, ...asked } = StoredSettings.parse(settings);
  const what = "keywords x runs, each collect";
  return costOfUnits(
    { sources: askedIn(asked), what, quantity: questions * runs, unitCredits: prices.search_analysis_question },
    adapters,
  );
}

/** Keywords of which the setup says nothing of what is wanted. */
export function unknownKeywords(setup: SearchAnalysisSetup, wanted: WantedFigures): number {
  return [...keywordsOf(setup)].filter(({ keyword }) => {
    const { search_volume: volume, trends, search_interest_trends: interest, related_queries: related } = keyword;
    return (wanted === "volume" ? [volume, trends] : [interest, related]).every((given) => given === undefined);
  }).length;
}

/**
 * Of the Generic keywords, at the sources whose figures are summed where none is named. Null where no source is asked.
 */
export function powerIn(setup: SearchAnalysisSetup, measured?: MeasuredSpread): Power | null {
  const sources = summedTogether(setup.sources).length;
  if (sources === 0) return null;
  const prompts = [...keywordsOf(setup)].filter(({ keyword }) => keyword.type === "Generic").length;
  return powerOfSetup({ prompts, runs: setup.runs_per_prompt, sources }, measured);
}
