import { z } from "zod";
import { Id } from "../../core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { brandPath } from "./brand.ts";
import { removeBrand } from "./store-brand.ts";

export const deleteBrand = endpoint({
  name: "deleteBrand",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id",
  group: "Brand Catalog",
  summary: "Delete a brand",
  logged: "Deleted brand {brand_id}",
  description:
    "Deletes a brand that nothing depends on, with its mentions. A brand of an analysis, or one with children, cannot be deleted.",
  access: { workspace: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject(brandPath),
  output: z.object({ id: Id, deleted: z.literal(true) }),
  errors: ["CONFLICT"],
  async handle({ brand_id }, context) {
    await removeBrand(context, brand_id);
    return { id: brand_id, deleted: true as const };
  },
});
