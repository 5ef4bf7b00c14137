import { endpoint } from "../../endpoint.ts";
import { buildCreationDeclaration } from "./analysis-endpoints.ts";
import { searchAnalysis } from "./search-analysis/search-analysis.ts";

export const createSearchAnalysis = endpoint({
  name: "createSearchAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/search-analyses",
  status: 201,
  group: "Analyses",
  summary: "Create a search analysis from a quote",
  logged: "Created search analysis {name}",
  description:
    "Create a search analysis from the quote of price_search_analysis, after the person agreed to setup and cost. Spends credits and starts the first run (`collect`).",
  ...buildCreationDeclaration(searchAnalysis),
});
