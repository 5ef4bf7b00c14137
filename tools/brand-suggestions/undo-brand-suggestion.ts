import { z } from "zod";
import { findSuggestion, type SuggestionRow } from "../../db/catalog/brand-suggestions.ts";
import { findBrand } from "../../db/catalog/brands.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { endpoint, type Context } from "../endpoint.ts";
import { changeBrand, archiveUnusedBrand } from "../brands/store-brand.ts";
import { BrandSuggestion, storeDecision, suggestionPath } from "./brand-suggestion.ts";

export const undoBrandSuggestion = endpoint({
  name: "undoBrandSuggestion",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brand-suggestions/:suggestion_id/undo",
  group: "Brand Catalog",
  summary: "Undo the decision on a suggestion",
  logged: "Undid the decision on suggestion {suggestion_id}",
  description:
    "Reopens a decided suggestion. After a merge the alias is removed; an accepted brand is deleted unless something depends on it.",
  access: { workspace: "editor" },
  input: z.strictObject(suggestionPath),
  output: BrandSuggestion,
  errors: ["NOT_FOUND", "CONFLICT", "UNPROCESSABLE"],
  async handle({ suggestion_id }, context) {
    const row = requireFound(await findSuggestion(context.tenant, suggestion_id), "suggestion");
    if (row.status === "open")
      throw new AppError("UNPROCESSABLE", "This suggestion is still open: there is no decision to undo.");
    // A brand deleted since needs no undo: its name and aliases are gone.
    if (row.status === "accepted" && row.brandId !== null) await archiveUnusedBrand(context, row.brandId);
    if (row.status === "merged" && row.brandId !== null) await undoMerge(context, row.brandId, row.mergedAlias);
    return storeDecision(context, row, { status: "open" });
  },
});

async function undoMerge(context: Context, brandId: string, alias: SuggestionRow["mergedAlias"]): Promise<void> {
  const brand = await findBrand(context.tenant, brandId);
  if (!brand || alias === null) return;
  const aliases = brand.aliases.filter(({ text, case_sensitive }) => text !== alias || case_sensitive);
  await changeBrand(context, brand, { aliases });
}
