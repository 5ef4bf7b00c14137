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
    "Create the analysis of a quote from price_search_analysis, after the person agreed to its setup and cost. Reserves the credits and starts the first run (`collect`).",
  ...buildCreationDeclaration(searchAnalysis),
});
