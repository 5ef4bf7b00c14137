import { z } from "zod";
import { invalidInput } from "../../core/shared/errors.ts";
import { Id, workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Cost, quoteSchema, storeQuote } from "../quotes/quote.ts";
import { presentEvaluation } from "./evaluation-presentation.ts";
import { computePrice } from "./evaluation-price.ts";
import { normaliseSetup, setupFields, loadRerunSetup, StoredSetupSchema } from "./evaluation-setup.ts";

export const priceAssetEvaluation = endpoint({
  name: "priceAssetEvaluation",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/asset-evaluations/price",
  group: "Asset Evaluations",
  summary: "Price an asset evaluation",
  logged: "Priced an asset evaluation",
  description:
    "Get the price of scoring assets on attributes, or of running an evaluation again (only `evaluation`). A new one needs name, assets, category and attributes. Free. Show the person the `presentation` and wait for a yes before create_asset_evaluation or rerun_asset_evaluation.",
  access: { workspace: "editor" },
  scope: "evaluations:manage",
  isSafe: true,
  input: z.strictObject({
    ...workspacePath,
    evaluation_id: Id.optional().describe("Evaluation to run again, from list_asset_evaluations."),
    name: setupFields.name.optional(),
    asset_ids: setupFields.asset_ids.optional(),
    category: setupFields.category.optional(),
    attributes: setupFields.attributes.optional(),
    brand_id: setupFields.brand_id.optional(),
    language: setupFields.language.optional(),
  }),
  output: quoteSchema({
    setup: StoredSetupSchema,
    scorer: z.string().describe("Name of the scorer."),
    can_judge: z.boolean().describe("false: this scorer cannot score such assets; they cost nothing."),
    cost: Cost,
  }),
  errors: ["CONFLICT"],
  async handle({ organization_id: _organization, workspace_id: _workspace, ...given }, context) {
    const { evaluation_id: evaluationId, ...fields } = given;
    const setup =
      evaluationId === undefined
        ? await normaliseSetup(context.tenant, completeSetup(fields))
        : await loadRerunSetup(context.tenant, requireOnlyId(evaluationId, fields));
    const cost = computePrice(setup, context);
    const kind = evaluationId === undefined ? "asset_evaluation" : "asset_evaluation_rerun";
    const { tenant, scorer } = context;
    const present = () => presentEvaluation(tenant, setup, { cost, scorer });
    const { name, judges } = scorer;
    const canJudge = judges.includes(setup.asset_class);
    const obstacle = canJudge ? undefined : `${name} cannot score ${setup.asset_class} assets. Choose other assets.`;
    const stored = await storeQuote(context, { kind, setup, cost, present, obstacle });
    return { ...stored, setup, scorer: name, can_judge: canJudge, cost };
  },
});

type WholeSetup = z.output<z.ZodObject<typeof setupFields>>;
type PartialSetup = { [Key in keyof WholeSetup]?: WholeSetup[Key] | undefined };

function completeSetup({ name, asset_ids, category, attributes, brand_id, language }: PartialSetup) {
  if (name === undefined || asset_ids === undefined || category === undefined) {
    const missing = Object.entries({ name, asset_ids, category }).filter(([, value]) => value === undefined);
    throw invalidInput(missing.map(([path]) => ({ path, message: "is required" })));
  }
  return {
    name,
    asset_ids,
    category,
    attributes: attributes ?? [],
    brand_id: brand_id ?? null,
    language: language ?? "en",
  };
}

function requireOnlyId(evaluationId: string, fields: PartialSetup): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (given.length === 0) return evaluationId;
  throw invalidInput(given.map(([path]) => ({ path, message: "cannot be combined with evaluation_id" })));
}
