import { z } from "zod";
import { countBrands, listBrands as listBrandRows } from "../../db/catalog/brand-lists.ts";
import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../core/brands/brand.ts";
import { listSchema, listQuery, textSchema, workspacePath, SortDirectionField } from "../../core/shared/fields.ts";
import { toPage, parsePagination } from "../../core/shared/pagination.ts";
import { endpoint } from "../endpoint.ts";
import { Brand, shapeBrand } from "./brand.ts";

export const listBrands = endpoint({
  name: "listBrands",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands",
  group: "Brand Catalog",
  summary: "List the brands of the catalog",
  description:
    "List the brands that a workspace tracks, yours and competitors. For their metrics use list_top_brands; get_brand has the names that count as one brand.",
  access: { workspace: "viewer" },
  whenEmpty: "No brand is tracked. A person adds brands on the page /brands/:organization_id/:workspace_id.",
  input: z.strictObject({
    ...workspacePath,
    relationship: z.enum(BRAND_RELATIONSHIPS).optional().describe("Only your brand (mine), competitors or others."),
    kind: z.enum(BRAND_KINDS).optional().describe("Only this kind."),
    archived: z.boolean().default(false).describe("true: only archived brands."),
    text: textSchema(200).optional().describe("Part of the name."),
    sort: z.enum(["created_at", "name"]).default("created_at").describe("Sort by this column."),
    sort_direction: SortDirectionField.default("asc"),
    ...listQuery,
  }),
  output: listSchema(Brand).extend({ total_count: z.int() }),
  async handle(input, { tenant }) {
    const rows = await listBrandRows(tenant, input, { ...parsePagination("brands", input), ...input });
    const key = (row: (typeof rows)[number]) => (input.sort === "name" ? [row.nameFolded] : [row.id]);
    const list = toPage("brands", input, rows, { key, row: shapeBrand });
    return { ...list, total_count: await countBrands(tenant, input) };
  },
});
