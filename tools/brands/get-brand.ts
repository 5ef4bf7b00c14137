import { z } from "zod";
import { findBrand } from "../../db/catalog/brands.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { BrandWithHints, brandPath, shapeBrandWithHints } from "./brand.ts";

export const getBrand = endpoint({
  name: "getBrand",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id",
  group: "Brand Catalog",
  summary: "Read a brand",
  description:
    "Read one brand of the catalog: aliases, domains, parent brand, and names that may be confused with other words.",
  access: { workspace: "viewer" },
  input: z.strictObject(brandPath),
  output: BrandWithHints,
  async handle({ brand_id }, { tenant }) {
    return shapeBrandWithHints(requireFound(await findBrand(tenant, brand_id), "brand"));
  },
});
