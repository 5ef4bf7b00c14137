import { z } from "zod";
import { analysisPath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Cost, quoteSchema, storeQuote } from "../quotes/quote.ts";
import { Power } from "../analyses/setup/power.ts";
import { planNextCollect, presentCollect, type CollectQuote } from "./collect-creation.ts";

export const priceCollect = endpoint({
  name: "priceCollect",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/collects/price",
  group: "Analyses",
  summary: "Price one run of an analysis",
  logged: "Priced a collect of analysis {analysis_id}",
  description:
    "Gets a quote for one run (`collect`) outside the schedule, with the current setup and prices. Free. Returns 409 while a run is in progress.",
  access: { workspace: "editor" },
  scope: "analyses:create",
  isSafe: true,
  notATool: "write endpoint not marked for agents",
  input: z.strictObject(analysisPath),
  output: quoteSchema({ cost: Cost, power: Power.nullable() }),
  errors: ["NOT_FOUND", "CONFLICT"],
  async handle({ analysis_id }, context) {
    const { setup, cost } = await planNextCollect(analysis_id, context);
    const quote: CollectQuote = { analysis_id, setup_version: setup.setup_version };
    const present = () => presentCollect(setup, cost, context);
    return {
      ...(await storeQuote(context, { kind: "collect", setup: quote, cost, present })),
      cost,
      power: setup.power,
    };
  },
});
