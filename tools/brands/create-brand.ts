import { z } from "zod";
import { workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { BrandWithHints, toBrandFields, newBrandFields, shapeBrandWithHints } from "./brand.ts";
import { addBrand } from "./store-brand.ts";

export const createBrand = endpoint({
  name: "createBrand",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands",
  status: 201,
  group: "Brand Catalog",
  summary: "Add a brand to the catalog",
  logged: "Added brand {name}",
  description:
    "Tracks a brand by its name, aliases and domains. Stored answers are searched for it in the background; getCatalogReading shows the progress.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...workspacePath,
    ...newBrandFields,
  }),
  output: BrandWithHints,
  errors: ["CONFLICT", "QUOTA_EXCEEDED"],
  async handle(input, context) {
    return shapeBrandWithHints(await addBrand(context, toBrandFields(input)));
  },
});
