import { z } from "zod";
import type { TrackedBrand } from "../reading/capture.ts";

const AliasSchema = z.union([
  z.string().trim().min(1).max(200),
  z.strictObject({ text: z.string().trim().min(1).max(200), case_sensitive: z.boolean().default(false) }),
]);

const BrandEntrySchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Key that parent_id of other brands can name. Default: the brand's name."),
  name: z.string().trim().min(1).max(200),
  aliases: z.array(AliasSchema).max(200).default([]),
  excluded_phrases: z.array(z.string().trim().min(1).max(200)).max(200).default([]),
  domains: z.array(z.string().trim().min(1).max(253)).max(200).default([]),
  kind: z.enum(["brand", "sub_brand", "product"]).default("brand"),
  parent_id: z.string().nullable().default(null),
  relationship: z.enum(["mine", "competitor", "other"]).default("competitor"),
});

/** Array of brands. Rejects duplicate ids, and parents outside the file. */
export const BrandFileSchema = z
  .array(BrandEntrySchema)
  .min(1)
  .superRefine((brands, context) => {
    const ids = brands.map(({ id, name }) => id ?? name);
    for (const [i, brand] of brands.entries()) {
      if (ids.indexOf(ids[i] ?? "") !== i)
        context.addIssue({ code: "custom", path: [i, "id"], message: "is used twice" });
      if (brand.parent_id !== null && !ids.includes(brand.parent_id)) {
        context.addIssue({ code: "custom", path: [i, "parent_id"], message: "is not the id of a brand in this file" });
      }
    }
  })
  .transform((brands) => brands.map((entry, index) => toTrackedBrand(entry, index + 1)));

function toTrackedBrand({ id, aliases, ...brand }: z.output<typeof BrandEntrySchema>, number: number): TrackedBrand {
  return {
    ...brand,
    id: id ?? brand.name,
    number,
    aliases: aliases.map((alias) => (typeof alias === "string" ? { text: alias, case_sensitive: false } : alias)),
  };
}
