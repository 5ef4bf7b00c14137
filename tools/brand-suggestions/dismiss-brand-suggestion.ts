import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { BrandSuggestion, storeDecision, requireOpenSuggestion, suggestionPath } from "./brand-suggestion.ts";

export const dismissBrandSuggestion = endpoint({
  name: "dismissBrandSuggestion",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brand-suggestions/:suggestion_id/dismiss",
  group: "Brand Catalog",
  summary: "Dismiss a suggestion",
  logged: "Dismissed suggestion {suggestion_id}",
  description: "Dismisses a suggested name. Later runs do not suggest it again. This can be undone.",
  access: { workspace: "editor" },
  input: z.strictObject(suggestionPath),
  output: BrandSuggestion,
  errors: ["NOT_FOUND", "UNPROCESSABLE"],
  async handle({ suggestion_id }, context) {
    const row = await requireOpenSuggestion(context.tenant, suggestion_id);
    return storeDecision(context, row, { status: "dismissed" });
  },
});
