import { z } from "zod";
import { countBrandUses, findBrand, updateBrand as updateBrandRow } from "../../db/brands.ts";
import { notFound } from "../../src/core/errors.ts";
import { endpoint } from "../endpoint.ts";
import { Brand, brandFields, brandPath, checkBrand, shapeBrand } from "./brand.ts";

export const updateBrand = endpoint({
  name: "updateBrand",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id",
  group: "Brand Catalog",
  summary: "Change a brand",
  description:
    "Use this to correct a brand; fields that are left out stay as they are. Answers are read with it from the next collect on.",
  access: { workspace: "editor" },
  notATool: "write endpoint not marked for agents",
  input: z.strictObject({ ...brandPath, ...z.object(brandFields).partial().shape }),
  output: Brand,
  errors: ["CONFLICT"],
  async handle(input, { tenant, now }) {
    const row = await findBrand(tenant, input.brand_id);
    if (!row) throw notFound("brand");
    const { children } = await countBrandUses(tenant, row.id);
    const changed = {
      name: input.name ?? row.name,
      domains: input.domains ?? row.domains,
      aliases: input.aliases ?? row.aliases,
      excludedPhrases: input.excluded_phrases ?? row.excludedPhrases,
      kind: input.kind ?? row.kind,
      parentId: input.parent_id === undefined ? row.parentId : input.parent_id,
      relationship: input.relationship ?? row.relationship,
      updatedAt: now,
    };
    await checkBrand(tenant, { ...changed, id: row.id, hasChildren: children > 0 && changed.kind !== "brand" });
    const stored = await updateBrandRow(tenant, row.id, changed);
    if (!stored) throw notFound("brand");
    return shapeBrand(stored);
  },
});
