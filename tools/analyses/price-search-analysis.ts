import { endpoint } from "../endpoint.ts";
import { pricingOf } from "./analysis-endpoints.ts";
import { searchAnalysis } from "./search/search-analysis.ts";

export const priceSearchAnalysis = endpoint({
  name: "priceSearchAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/search-analyses/price",
  group: "Analyses",
  summary: "Price a search analysis",
  description:
    "Use this before create_search_analysis: it checks the whole setup and returns a quote. Show the person the setup, the cost and the balance, and wait for an explicit yes. Pricing spends nothing.",
  ...pricingOf(searchAnalysis),
});
