import { listAssetsByIds } from "../../db/catalog/assets.ts";
import { findBrand } from "../../db/catalog/brands.ts";
import type { Tenant } from "../../db/engine/store.ts";
import type { Presentation, ScorerOffer } from "../endpoint.ts";
import type { Cost } from "../quotes/quote.ts";
import type { EvaluationSetup } from "./evaluation-setup.ts";

/** The whole setup, the cost, and the balance after it, as a person reads it before saying yes. */
export async function presentEvaluation(
  tenant: Tenant,
  setup: EvaluationSetup,
  price: { cost: Cost; available: number; scorer: ScorerOffer },
): Promise<Omit<Presentation, "approvalPath">> {
  const { cost, available, scorer } = price;
  const assets = await listAssetsByIds(tenant, setup.asset_ids);
  const brand = setup.brand_id === null ? undefined : await findBrand(tenant, setup.brand_id);
  const lines = [
    setup.evaluation_id === null ? `Create the asset evaluation "${setup.name}"?` : `Run "${setup.name}" again?`,
    "",
    `Assets (${setup.asset_class}): ${assets.map((asset) => asset.name).join("; ")}`,
    `Category: ${setup.category}`,
    `Attributes: ${setup.attributes.length === 0 ? "none" : setup.attributes.join("; ")}`,
    `Brand: ${brand?.name ?? "none"}`,
    `Language: ${setup.language}`,
    `Judged by: ${judgedBy(setup, scorer)}`,
    "",
    `Cost: at most ${counted(cost.total_credits, "credit")}, ${cost.breakdown[0]?.unit_credits ?? 0} for each asset that is judged.`,
    `Available: ${counted(available, "credit")}; after this: ${available - cost.total_credits}.`,
  ];
  return { message: lines.join("\n"), credits: cost.total_credits };
}

function judgedBy({ asset_class: kind }: EvaluationSetup, scorer: ScorerOffer): string {
  if (scorer.judges.includes(kind)) return scorer.name;
  return `nobody: ${scorer.name} cannot judge assets of the class ${kind}, so that they cost nothing`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
