import { endpoint } from "../../endpoint.ts";
import { buildPricingDeclaration } from "./analysis-endpoints.ts";
import { brandAnalysis } from "./brand-analysis/brand-analysis.ts";

export const priceBrandAnalysis = endpoint({
  name: "priceBrandAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brand-analyses/price",
  group: "Analyses",
  summary: "Price a brand analysis",
  logged: "Priced brand analysis {name}",
  description:
    "Get the price of a new brand analysis, which asks models what they know and think of a brand. Free. Show the person the `presentation` and wait for a yes before create_brand_analysis. To track your own prompts use price_search_analysis.",
  ...buildPricingDeclaration(brandAnalysis),
});
