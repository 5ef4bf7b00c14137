import { z } from "zod";
import { findBrand } from "../../db/catalog/brands.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { MAX_ALIASES } from "../brands/brand.ts";
import { changeBrand } from "../brands/store-brand.ts";
import { BrandSuggestion, storeDecision, requireOpenSuggestion, suggestionPath } from "./brand-suggestion.ts";

export const mergeBrandSuggestion = endpoint({
  name: "mergeBrandSuggestion",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brand-suggestions/:suggestion_id/merge",
  group: "Brand Catalog",
  summary: "Merge a suggestion into a brand",
  logged: "Merged suggestion {suggestion_id} into brand {brand_id}",
  description:
    "Adds the suggested name as an alias of a brand in the catalog. Stored answers are processed again in the background. This can be undone.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...suggestionPath,
    brand_id: Id.describe("Brand of the name, from list_brands."),
  }),
  output: BrandSuggestion,
  errors: ["NOT_FOUND", "CONFLICT", "UNPROCESSABLE"],
  async handle({ suggestion_id, brand_id }, context) {
    const row = await requireOpenSuggestion(context.tenant, suggestion_id);
    const brand = requireFound(await findBrand(context.tenant, brand_id), "brand");
    if (brand.aliases.length >= MAX_ALIASES) {
      throw new AppError(
        "UNPROCESSABLE",
        `The brand has ${MAX_ALIASES} aliases, which is the maximum. Delete one first.`,
      );
    }
    const aliases = [...brand.aliases, { text: row.text, case_sensitive: false }];
    const changed = await changeBrand(context, brand, { aliases });
    // Notes whether the merge added the alias: undo removes only such an alias.
    const added = changed.aliases.length > brand.aliases.length;
    return storeDecision(context, row, {
      status: "merged",
      brandId: brand.id,
      mergedAlias: added ? row.text : undefined,
    });
  },
});
