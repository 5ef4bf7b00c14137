import { z } from "zod";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { brandPath } from "./brand.ts";
import { archiveUnusedBrand } from "./store-brand.ts";

export const deleteBrand = endpoint({
  name: "deleteBrand",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id",
  group: "Brand Catalog",
  summary: "Archive a brand",
  logged: "Archived brand {brand_id}",
  description:
    "Archives a brand: it leaves all lists and metrics. Its mentions still count for the ranks of other brands. Your brand in an analysis, and a brand with children, cannot be archived. To undo, call restoreBrand or add a brand of the same name.",
  access: { workspace: "editor" },
  input: z.strictObject(brandPath),
  output: z.object({ id: Id, archived: z.literal(true) }),
  errors: ["CONFLICT"],
  async handle({ brand_id }, context) {
    await archiveUnusedBrand(context, brand_id);
    return { id: brand_id, archived: true as const };
  },
});
