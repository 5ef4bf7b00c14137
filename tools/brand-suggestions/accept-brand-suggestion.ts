import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { brandFields } from "../brands/brand.ts";
import { addBrand } from "../brands/store-brand.ts";
import { BrandSuggestion, storeDecision, requireOpenSuggestion, suggestionPath } from "./brand-suggestion.ts";

export const acceptBrandSuggestion = endpoint({
  name: "acceptBrandSuggestion",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brand-suggestions/:suggestion_id/accept",
  group: "Brand Catalog",
  summary: "Add a suggested brand",
  logged: "Made a brand of suggestion {suggestion_id}",
  description:
    "Adds the suggested name to the catalog as a new brand. Stored answers are searched for it in the background.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...suggestionPath,
    relationship: brandFields.relationship.default("other"),
    kind: brandFields.kind.default("brand"),
    parent_id: brandFields.parent_id.default(null),
    domains: brandFields.domains.default([]),
  }),
  output: BrandSuggestion,
  errors: ["NOT_FOUND", "CONFLICT", "UNPROCESSABLE", "QUOTA_EXCEEDED"],
  async handle({ suggestion_id, relationship, kind, parent_id: parentId, domains }, context) {
    const row = await requireOpenSuggestion(context.tenant, suggestion_id);
    const fields = { name: row.text, domains, aliases: [], excludedPhrases: [], kind, parentId, relationship };
    const brand = await addBrand(context, fields);
    return storeDecision(context, row, { status: "accepted", brandId: brand.id });
  },
});
