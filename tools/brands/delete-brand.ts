import { z } from "zod";
import { countBrandUses, deleteBrand as deleteBrandRow, findBrand } from "../../db/brands.ts";
import { AppError, notFound } from "../../src/core/errors.ts";
import { Id } from "../../src/core/fields.ts";
import { endpoint } from "../endpoint.ts";
import { brandPath } from "./brand.ts";
import { requestRereading } from "./store-brand.ts";

export const deleteBrand = endpoint({
  name: "deleteBrand",
  method: "DELETE",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id",
  group: "Brand Catalog",
  summary: "Delete a brand",
  description:
    "Use this for a brand that nothing rests on: its mentions go with it. A brand of an analysis or with children stays.",
  access: { workspace: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject(brandPath),
  output: z.object({ id: Id, deleted: z.literal(true) }),
  errors: ["CONFLICT"],
  async handle({ brand_id }, context) {
    const { tenant } = context;
    if (!(await findBrand(tenant, brand_id))) throw notFound("brand");
    const uses = await countBrandUses(tenant, brand_id);
    if (uses.children > 0)
      throw new AppError(
        "CONFLICT",
        "Sub-brands or products name this brand as their parent. Delete or move them first.",
      );
    if (uses.analyses > 0) throw new AppError("CONFLICT", "Analyses measure this brand, so it cannot be deleted.");
    await deleteBrandRow(tenant, brand_id);
    await requestRereading(context);
    return { id: brand_id, deleted: true as const };
  },
});
