import type { QuoteKind } from "../../core/credits/credits.ts";
import { createBrandAnalysis } from "../analyses/kinds/create-brand-analysis.ts";
import { createGeoAudit } from "../analyses/kinds/create-geo-audit.ts";
import { createSearchAnalysis } from "../analyses/kinds/create-search-analysis.ts";
import { changeSetup } from "../analyses/setup/change-setup.ts";
import { runCollect } from "../collects/run-collect.ts";
import { createAssetEvaluation } from "../asset-evaluations/create-asset-evaluation.ts";
import { rerunAssetEvaluation } from "../asset-evaluations/rerun-asset-evaluation.ts";
import type { AnyEndpoint } from "../endpoint.ts";

const CREATION_ENDPOINTS: Partial<Record<QuoteKind, AnyEndpoint>> = {
  brand_analysis: createBrandAnalysis,
  search_analysis: createSearchAnalysis,
  geo_audit: createGeoAudit,
  asset_evaluation: createAssetEvaluation,
  asset_evaluation_rerun: rerunAssetEvaluation,
  collect: runCollect,
  setup_change: changeSetup,
};

/** In a quote's setup and in the path of the endpoint that uses the quote. */
const SUBJECT_IDS = ["evaluation_id", "analysis_id"];

export function getCreation(quote: { kind: QuoteKind; setup: Record<string, unknown> }) {
  const endpoint = CREATION_ENDPOINTS[quote.kind];
  if (!endpoint) throw new Error(`Nothing uses a quote for ${quote.kind}.`);
  const needed = SUBJECT_IDS.filter((key) => Object.hasOwn(endpoint.input.shape as object, key));
  return { endpoint, ids: Object.fromEntries(needed.map((key) => [key, quote.setup[key]])) };
}
