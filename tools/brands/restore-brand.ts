import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { BrandWithHints, brandPath, shapeBrandWithHints } from "./brand.ts";
import { restoreArchived } from "./store-brand.ts";

export const restoreBrand = endpoint({
  name: "restoreBrand",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id/restore",
  group: "Brand Catalog",
  summary: "Restore an archived brand",
  logged: "Restored brand {brand_id}",
  description:
    "Restores an archived brand unchanged. Stored answers are processed again in the background. Restore the parent of a sub-brand or product first. A brand that is not archived stays as it is.",
  access: { workspace: "editor" },
  input: z.strictObject(brandPath),
  output: BrandWithHints,
  errors: ["CONFLICT", "QUOTA_EXCEEDED"],
  async handle({ brand_id }, context) {
    return shapeBrandWithHints(await restoreArchived(context, brand_id));
  },
});
