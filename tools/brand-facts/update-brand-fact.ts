import { z } from "zod";
import { updateBrandFact as updateBrandFactRow } from "../../db/catalog/brand-facts.ts";
import { endpoint } from "../endpoint.ts";
import {
  BrandFact,
  brandFactFields,
  brandFactPathFields,
  rejectDeclared,
  enqueueClaimReading,
  requireBrandFact,
  shapeBrandFact,
} from "./brand-fact.ts";

export const updateBrandFact = endpoint({
  name: "updateBrandFact",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id/facts/:fact_id",
  group: "Brand Catalog",
  summary: "Change a fact of a brand",
  logged: "Changed a fact of brand {brand_id}",
  description: "Changes a fact; fields that are left out stay as they are.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...brandFactPathFields, ...z.object(brandFactFields).partial().shape }),
  output: BrandFact,
  errors: ["CONFLICT"],
  async handle(input, { tenant, now, newId }) {
    const { brand_id: brandId, source_url: sourceUrl, as_of: asOf } = input;
    const row = await requireBrandFact(tenant, brandId, input.fact_id);
    const attribute = input.attribute ?? row.attribute;
    await rejectDeclared(tenant, { brandId, attribute }, row.id);
    const changed = await updateBrandFactRow(tenant, row, {
      attribute,
      value: input.value ?? row.value,
      sourceUrl: sourceUrl === undefined ? row.sourceUrl : sourceUrl,
      asOf: asOf === undefined ? row.asOf : asOf,
      updatedAt: now,
    });
    if (changed.revision !== row.revision) await enqueueClaimReading({ tenant, now, newId });
    return shapeBrandFact(changed);
  },
});
