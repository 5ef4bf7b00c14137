import type { SourceAdapters } from "../../src/core/adapters.ts";
import type { Presentation } from "../endpoint.ts";
import type { Cost } from "./quote.ts";
import { keywordsOf, type SearchAnalysisSetup } from "./search-analysis-setup.ts";

const KEYWORDS_SHOWN = 20;

/** The whole setup, the cost, and the balance after it, as a person reads it before saying yes. */
export function presentSearchAnalysis(
  setup: SearchAnalysisSetup,
  cost: Cost,
  available: number,
  adapters: SourceAdapters,
): Omit<Presentation, "approvalPath"> {
  const keywords = keywordsOf(setup);
  const hidden = keywords.length - KEYWORDS_SHOWN;
  const sources = setup.sources.map((source) => `${source} (${adapters[source].collection_method})`);
  const lines = [
    `Create the search analysis "${setup.name}"?`,
    "",
    `Website: ${setup.website}`,
    `Competitors: ${setup.competitor_ids.length}`,
    `Sources: ${sources.length === 0 ? "none, imported answers only" : sources.join(", ")}`,
    `Country, language, device: ${setup.country}, ${setup.language}, ${setup.device}`,
    `Runs of each keyword: ${setup.runs_per_prompt}`,
    `Schedule: ${setup.schedule}${setup.ends_at === undefined ? "" : ` until ${setup.ends_at}`}`,
    `Keywords (${keywords.length}): ${keywords
      .slice(0, KEYWORDS_SHOWN)
      .map((keyword) => keyword.text)
      .join("; ")}${hidden > 0 ? `; and ${hidden} more, as priced` : ""}`,
    "",
    `Cost: ${cost.total_credits} credits (${cost.per_collect} for each of ${cost.collects_planned} collects).`,
    `Available: ${available} credits; after this: ${available - cost.total_credits}.`,
  ];
  return { message: lines.join("\n"), credits: cost.total_credits };
}
