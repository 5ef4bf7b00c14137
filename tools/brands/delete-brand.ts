import { z } from "zod";
import { Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { brandPath } from "./brand.ts";
import { removeBrand } from "./store-brand.ts";

export const deleteBrand = endpoint({
  name: "deleteBrand",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id",
  group: "Brand Catalog",
  summary: "Archive a brand",
  logged: "Archived brand {brand_id}",
  description:
    "Takes a brand out of the catalog: it is in no list and no figure any more. Answers are still read for it, so that the ranks of the others stay as they were. The own brand of an analysis, and one with children, stay. restoreBrand puts it back, and so does adding a brand of the same name.",
  access: { workspace: "editor" },
  input: z.strictObject(brandPath),
  output: z.object({ id: Id, archived: z.literal(true) }),
  errors: ["CONFLICT"],
  async handle({ brand_id }, context) {
    await removeBrand(context, brand_id);
    return { id: brand_id, archived: true as const };
  },
});
