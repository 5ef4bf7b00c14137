import { endpoint } from "../../endpoint.ts";
import { buildPricingDeclaration } from "./analysis-endpoints.ts";
import { searchAnalysis } from "./search-analysis/search-analysis.ts";

export const priceSearchAnalysis = endpoint({
  name: "priceSearchAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/search-analyses/price",
  group: "Analyses",
  summary: "Price a search analysis",
  logged: "Priced search analysis {name}",
  description:
    "Get the price of a search analysis, which tracks brands in answers to your prompts. Free. Show the person the `presentation` and wait for a yes before create_search_analysis. For opinions use price_brand_analysis.",
  ...buildPricingDeclaration(searchAnalysis),
});
