import { z } from "zod";
import { Id, workspacePath } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { toBrandFields, newBrandFields } from "./brand.ts";
import { addBrands, type AddBrandResult } from "./add-brands.ts";

const Result = z
  .object({
    index: z.int().describe("Index in brands; the first is 0."),
    status: z.enum(["created", "exists", "refused"]).describe("exists: the catalog already has a brand of this name."),
    brand_id: Id.nullable().describe("Created or existing brand."),
    code: z.enum(["CONFLICT", "QUOTA_EXCEEDED", "VALIDATION_FAILED"]).nullable().describe("Reason for the rejection."),
    message: z.string().nullable(),
    fields: z.array(z.object({ path: z.string(), message: z.string() })).nullable(),
  })
  .meta({ id: "BulkBrandResult" });

export const bulkCreateBrands = endpoint({
  name: "bulkCreateBrands",
  method: "POST",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/brands/bulk",
  group: "Brand Catalog",
  summary: "Add several brands to the catalog",
  logged: "Added several brands",
  description:
    "Adds up to 1,000 brands in one transaction. Existing and rejected brands are reported, all others are added. Stored answers are processed again once, in the background. An invalid body adds nothing.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...workspacePath,
    brands: z.array(z.strictObject(newBrandFields)).min(1).max(1000).describe("Brands with the fields of createBrand."),
  }),
  output: z.object({ results: z.array(Result) }),
  async handle({ brands }, context) {
    const additions = await addBrands(context, brands.map(toBrandFields));
    return { results: additions.map(shapeAddition) };
  },
});

function shapeAddition(addition: AddBrandResult, index: number): z.input<typeof Result> {
  const { status } = addition;
  if (status !== "refused") {
    return { index, status, brand_id: addition.brandId, code: null, message: null, fields: null };
  }
  const { code, message, fields = null } = addition.error;
  const known = Result.shape.code.parse(code);
  return { index, status, brand_id: null, code: known, message, fields };
}
