import { z } from "zod";
import { requireRoom } from "../../db/catalog/quotas.ts";
import { workspacePath } from "../../core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { CollectsCost, quoteOf, storeQuote } from "../quotes/quote.ts";
import { priceOf, SourcesShown, sourcesOf } from "./search-analysis-price.ts";
import { normaliseSetup, searchAnalysisFields, StoredSetup } from "./search-analysis-setup.ts";

export const priceSearchAnalysis = endpoint({
  name: "priceSearchAnalysis",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/search-analyses/price",
  group: "Analyses",
  summary: "Price a search analysis",
  description:
    "Use this before create_search_analysis: it checks the whole setup and returns a quote. Show the person the setup, the cost and the balance, and wait for an explicit yes. Pricing spends nothing.",
  access: { workspace: "editor" },
  scope: "analyses:create",
  safe: true,
  input: z.strictObject({ ...workspacePath, ...searchAnalysisFields }),
  output: quoteOf({ setup: StoredSetup, sources: SourcesShown, cost: CollectsCost }),
  errors: ["QUOTA_EXCEEDED"],
  async handle({ organization_id: _organization, workspace_id: _workspace, ...given }, context) {
    const setup = await normaliseSetup(context.tenant, given, context.now);
    await requireRoom(context.tenant, "analyses");
    const cost = priceOf(setup, context.now, context);
    const stored = await storeQuote(context, { kind: "search_analysis", setup, cost });
    return { ...stored, setup, sources: sourcesOf(setup, context.adapters), cost };
  },
});
