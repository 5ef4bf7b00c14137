import { endpoint } from "../../endpoint.ts";
import { buildCreationDeclaration } from "./analysis-endpoints.ts";
import { brandAnalysis } from "./brand-analysis/brand-analysis.ts";

export const createBrandAnalysis = endpoint({
  name: "createBrandAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brand-analyses",
  status: 201,
  group: "Analyses",
  summary: "Create a brand analysis from a quote",
  logged: "Created brand analysis {name}",
  description:
    "Create a brand analysis from the quote of price_brand_analysis, after the person agreed to setup and cost. Spends credits and starts the first run (`collect`).",
  ...buildCreationDeclaration(brandAnalysis),
});
