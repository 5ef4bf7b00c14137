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
    "Get a quote for create_brand_analysis. Free. Show the person the `presentation`, and wait for an explicit yes.",
  ...buildPricingDeclaration(brandAnalysis),
});
