import { z } from "zod";
import { listBrandFacts as listBrandFactRows } from "../../db/catalog/brand-facts.ts";
import { listSchema, listQuery } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { brandPath } from "../brands/brand.ts";
import { endpoint } from "../endpoint.ts";
import { BrandFact, requireBrand, shapeBrandFact } from "./brand-fact.ts";

export const listBrandFacts = endpoint({
  name: "listBrandFacts",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/:brand_id/facts",
  group: "Brand Catalog",
  summary: "List the declared facts of a brand",
  description:
    "List the facts that you declared about a brand, such as price or dates, each with its source. list_claims checks answers against them.",
  access: { workspace: "viewer" },
  whenEmpty:
    "No facts of this brand are declared. A person declares them on the page /brands/:organization_id/:workspace_id/:brand_id.",
  input: z.strictObject({ ...brandPath, ...listQuery }),
  output: listSchema(BrandFact),
  async handle(input, { tenant }) {
    await requireBrand(tenant, input.brand_id);
    const rows = await listBrandFactRows(tenant, input.brand_id, parsePagination("brand-facts", input));
    return toPage("brand-facts", input, rows, { key: (row) => [row.id], row: shapeBrandFact });
  },
});
