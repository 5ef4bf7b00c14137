import { z } from "zod";
import { insertBrandFact } from "../../db/catalog/brand-facts.ts";
import { brandPath } from "../brands/brand.ts";
import { endpoint } from "../endpoint.ts";
import {
  BrandFact,
  brandFactFields,
  rejectDeclared,
  enqueueClaimReading,
  requireBrand,
  requireRoomForFact,
  shapeBrandFact,
} from "./brand-fact.ts";

export const createBrandFact = endpoint({
  name: "createBrandFact",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id/facts",
  status: 201,
  group: "Brand Catalog",
  summary: "Declare a fact of a brand",
  logged: "Declared {attribute} of brand {brand_id}",
  description:
    "Declares one fact, such as a price or a feature, with its source. Facts of a product belong to a brand of kind product. A brand has up to 50 facts.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...brandPath,
    attribute: brandFactFields.attribute,
    value: brandFactFields.value,
    source_url: brandFactFields.source_url.default(null),
    as_of: brandFactFields.as_of.default(null),
  }),
  output: BrandFact,
  errors: ["CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, { tenant, now, newId }) {
    const { brand_id: brandId, attribute, value, source_url: sourceUrl, as_of: asOf } = input;
    await requireBrand(tenant, brandId);
    await requireRoomForFact(tenant, brandId);
    await rejectDeclared(tenant, { brandId, attribute });
    const times = { createdAt: now, updatedAt: now };
    const fact = { id: newId(), brandId, attribute, value, sourceUrl, asOf, ...times };
    const row = await insertBrandFact(tenant, fact);
    await enqueueClaimReading({ tenant, now, newId });
    return shapeBrandFact(row);
  },
});
