import { z } from "zod";
import { deleteBrandFact as deleteBrandFactRow } from "../../db/catalog/brand-facts.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { brandFactPathFields, enqueueClaimReading, requireBrandFact } from "./brand-fact.ts";

export const deleteBrandFact = endpoint({
  name: "deleteBrandFact",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id/facts/:fact_id",
  group: "Brand Catalog",
  summary: "Delete a fact of a brand",
  logged: "Deleted a fact of brand {brand_id}",
  description: "Deletes a declared fact. Answers are no longer checked against it.",
  access: { workspace: "editor" },
  input: z.strictObject(brandFactPathFields),
  output: z.object({ id: Id, deleted: z.literal(true) }),
  async handle({ brand_id, fact_id }, { tenant, now, newId }) {
    await deleteBrandFactRow(tenant, await requireBrandFact(tenant, brand_id, fact_id));
    await enqueueClaimReading({ tenant, now, newId });
    return { id: fact_id, deleted: true as const };
  },
});
