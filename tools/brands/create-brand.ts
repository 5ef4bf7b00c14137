import { z } from "zod";
import { workspacePath } from "../../core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { Brand, brandFields, shapeBrand } from "./brand.ts";
import { addBrand } from "./store-brand.ts";

export const createBrand = endpoint({
  name: "createBrand",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands",
  status: 201,
  group: "Brand Catalog",
  summary: "Add a brand to the catalog",
  description:
    "Tracks a brand by its name, aliases and domains. Stored answers are read again for it in the background; getCatalogReading shows the progress.",
  access: { workspace: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({
    ...workspacePath,
    name: brandFields.name,
    domains: brandFields.domains.default([]),
    aliases: brandFields.aliases.default([]),
    excluded_phrases: brandFields.excluded_phrases.default([]),
    kind: brandFields.kind.default("brand"),
    parent_id: brandFields.parent_id.default(null),
    relationship: brandFields.relationship.default("other"),
  }),
  output: Brand,
  errors: ["CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, context) {
    const { name, domains, aliases, kind, relationship } = input;
    const parentId = input.parent_id;
    const excludedPhrases = input.excluded_phrases;
    return shapeBrand(
      await addBrand(context, { name, domains, aliases, excludedPhrases, kind, parentId, relationship }),
    );
  },
});
