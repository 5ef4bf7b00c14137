import { z } from "zod";
import { analysisPath } from "../../../core/shared/fields.ts";
import { endpoint, type Context } from "../../endpoint.ts";
import { quoteSchema, storeQuote } from "../../quotes/quote.ts";
import { Power } from "./power.ts";
import type { AnalysisSetup } from "../kinds/analysis-kind.ts";
import { AnySetupSchema, anySetupFields, parseSetup } from "../kinds/any-setup.ts";
import { startSetupLookup, lookUpAndPrice } from "../kinds/setup-lookup.ts";
import { getAnalysisKind } from "../kinds/kinds.ts";
import { requireChangeableAnalysis, presentChange, planSetupChange, SetupChangeCost } from "./setup-change.ts";
import { SourcesShown, describeSources } from "./sources-shown.ts";

export const priceSetup = endpoint({
  name: "priceSetup",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/setup/price",
  group: "Analyses",
  summary: "Price another setup of an analysis",
  logged: "Priced a changed setup of analysis {analysis_id}",
  description:
    "Prices a change of setup: send the complete new setup of this kind of analysis, and get a quote of the difference to the reserved credits. Free. Also plans runs again after a workspace was restored.",
  access: { workspace: "editor" },
  scope: "analyses:create",
  isSafe: true,
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({ ...anySetupFields, ...analysisPath }),
  output: quoteSchema({ setup: AnySetupSchema, sources: SourcesShown, cost: SetupChangeCost, power: Power.nullable() }),
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle(input, context) {
    const { organization_id: _organization, workspace_id: _workspace, analysis_id: analysisId, ...given } = input;
    const { type } = await requireChangeableAnalysis(analysisId, context.tenant);
    const kind = getAnalysisKind(type);
    const setup = parseSetup(kind, given);
    return (
      (await startSetupLookup(kind, setup, context, { analysisId })) ?? priceGivenSetup(setup, context, { analysisId })
    );
  },
  perform: lookUpAndPrice(getAnalysisKind, priceGivenSetup),
});

async function priceGivenSetup(given: AnalysisSetup, context: Context, { analysisId = "" }: Record<string, string>) {
  const change = await planSetupChange(analysisId, given, context);
  const {
    cost,
    setup: { analysis, setup, power },
  } = change;
  const kind = getAnalysisKind(analysis.type);
  const quote = { analysis_id: analysisId, ...setup };
  const present = (fullListAddress: string | null) => presentChange(change, context, fullListAddress);
  const stored = await storeQuote(context, { kind: "setup_change", setup: quote, cost, present });
  const sources = describeSources(kind.sources(setup), context.adapters);
  return { ...stored, setup, sources, cost, power };
}
