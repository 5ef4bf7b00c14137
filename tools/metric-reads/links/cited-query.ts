import { z } from "zod";
import { readComparedBrands } from "../../../db/actions/recommend-facts.ts";
import type { BrandPresence } from "../../../db/answers/brand-conditions.ts";
import type { Tenant } from "../../../db/engine/store.ts";

/** `parseCitedPlace` reads them. */
export const citedQuery = {
  domain: z.string().min(1).max(253).optional().describe("Cited site, such as reddit.com."),
  url: z.string().min(1).max(2000).optional().describe("Cited page."),
};

export const rivalsField = z
  .int()
  .min(1)
  .max(100)
  .optional()
  .describe("Only answers that name at least this many rivals, and not you.");

/** Rivals are the competitors of the analysis, or those of the catalog if it has none. */
export async function readPresence(
  tenant: Tenant,
  { id, brandId: ownId }: { id: string; brandId: string | null },
  input: { with_brand?: string | undefined; absent_brand?: string | undefined; rivals_at_least?: number | undefined },
): Promise<BrandPresence> {
  const { with_brand: brandId, absent_brand: absentId, rivals_at_least: atLeast } = input;
  const absentBrandIds = absentId === undefined ? undefined : [absentId];
  if (atLeast === undefined || ownId === null) return { brandId, absentBrandIds };
  const { compared } = await readComparedBrands(tenant, { id, brandId: ownId });
  const named = { atLeast, brandIds: [...compared.rivalIds] };
  return { brandId, absentBrandIds: [...(absentBrandIds ?? []), ownId], named };
}
