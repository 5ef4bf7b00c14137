import { z } from "zod";
import { findBrand } from "../../db/catalog/brands.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { endpoint } from "../endpoint.ts";
import { BrandWithHints, brandFields, brandPath, shapeBrandWithHints } from "./brand.ts";
import { changeBrand } from "./store-brand.ts";

export const updateBrand = endpoint({
  name: "updateBrand",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id",
  group: "Brand Catalog",
  summary: "Change a brand",
  logged: "Changed brand {brand_id}",
  description:
    "Changes a brand; omitted fields stay as they are. Stored answers affected by the change are processed again in the background.",
  access: { workspace: "editor" },
  input: z.strictObject({ ...brandPath, ...z.object(brandFields).partial().shape }),
  output: BrandWithHints,
  errors: ["CONFLICT"],
  async handle(input, context) {
    const row = requireFound(await findBrand(context.tenant, input.brand_id), "brand");
    const { name, domains, aliases, kind, relationship } = input;
    const change = { name, domains, aliases, kind, relationship };
    return shapeBrandWithHints(
      await changeBrand(context, row, {
        ...change,
        parentId: input.parent_id,
        excludedPhrases: input.excluded_phrases,
      }),
    );
  },
});
