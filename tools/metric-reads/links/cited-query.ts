import { z } from "zod";
import { readComparedBrands } from "../../../db/actions/recommend-facts.ts";
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

/** Own brand and competitors of the analysis; those of the catalog without any. Undefined without an own brand. */
export async function readRivals(tenant: Tenant, { id, brandId }: { id: string; brandId: string | null }) {
  if (brandId === null) return undefined;
  const { compared } = await readComparedBrands(tenant, { id, brandId });
  return { ownId: compared.ownId, rivalIds: [...compared.rivalIds] };
}
