import { listCompetitorIds, type AnalysisRow } from "../../../db/measuring/analyses.ts";
import { findSetup } from "../../../db/measuring/setups.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { Instant } from "../../../core/time.ts";
import { usdOf } from "../../../core/micros.ts";
import { copyName } from "../copy-name.ts";
import { StoredSetup, type BrandAnalysisSetup } from "./brand-analysis-setup.ts";

/** The present setup of a brand analysis under another name, as pricing takes it. An end that has passed is left out. */
export async function brandSetupOf(tenant: Tenant, analysis: AnalysisRow, now: Instant): Promise<BrandAnalysisSetup> {
  const { id, name, brandId, schedule, endsAt, spendCapMicros } = analysis;
  const { setup, prompts } = await findSetup(tenant, analysis);
  return StoredSetup.parse({
    ...setup,
    name: copyName(name),
    brand_id: brandId,
    competitor_ids: await listCompetitorIds(tenant, id),
    schedule,
    prompts,
    ...(endsAt === null || endsAt <= now ? {} : { ends_at: endsAt }),
    ...(spendCapMicros === null ? {} : { max_spend_usd: usdOf(spendCapMicros) }),
  });
}
