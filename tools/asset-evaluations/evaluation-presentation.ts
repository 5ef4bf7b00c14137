import { listAssetsByIds } from "../../db/assets/assets.ts";
import { findBrand } from "../../db/catalog/brands.ts";
import type { Tenant } from "../../db/engine/store.ts";
import type { ScorerOffer } from "../endpoint.ts";
import type { Cost } from "../quotes/quote.ts";
import type { EvaluationSetup } from "./evaluation-setup.ts";
import { formatCount } from "../../core/shared/format-count.ts";

export async function presentEvaluation(
  tenant: Tenant,
  setup: EvaluationSetup,
  { cost, scorer }: { cost: Cost; scorer: ScorerOffer },
): Promise<string[]> {
  const assets = await listAssetsByIds(tenant, setup.asset_ids);
  const brand = setup.brand_id === null ? undefined : await findBrand(tenant, setup.brand_id);
  return [
    setup.evaluation_id === null ? `Create the asset evaluation "${setup.name}"?` : `Run "${setup.name}" again?`,
    "",
    `Assets (${setup.asset_class}): ${assets.map((asset) => asset.name).join("; ")}`,
    `Category: ${setup.category}`,
    `Attributes: ${setup.attributes.length === 0 ? "none" : setup.attributes.join("; ")}`,
    `Brand: ${brand?.name ?? "none"}`,
    `Language: ${setup.language}`,
    `Judged by: ${formatScorer(setup, scorer)}`,
    "",
    `Cost: at most ${formatCount(cost.total_credits, "credit")}, ${cost.breakdown[0]?.unit_credits ?? 0} for each asset that is judged.`,
  ];
}

function formatScorer({ asset_class: kind }: EvaluationSetup, scorer: ScorerOffer): string {
  if (scorer.judges.includes(kind)) return scorer.name;
  return `none; ${scorer.name} cannot judge assets of the class ${kind}, so they cost nothing`;
}
