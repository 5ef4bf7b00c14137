import { z } from "zod";
import type { BrandFields } from "./store-brand.ts";
import type { BrandRow } from "../../db/catalog/brands.ts";
import { toSnakeCase } from "../../core/shared/snake-case.ts";
import { findRiskyNames } from "../../core/brands/risky-names.ts";
import { BRAND_KINDS, BRAND_RELATIONSHIPS } from "../../core/brands/brand.ts";
import { Domain, Id, InstantField, nameSchema, textSchema, workspacePath } from "../../core/shared/fields.ts";

const AliasSchema = z.strictObject({
  text: nameSchema(200).describe("Alternative spelling of the brand."),
  case_sensitive: z.boolean().default(false),
});

export const MAX_ALIASES = 100;

export const brandFields = {
  name: nameSchema(200).describe("Name, unique in the workspace regardless of case."),
  domains: z.array(Domain).max(50).describe("Domains that the brand owns."),
  aliases: z.array(AliasSchema).max(MAX_ALIASES).describe("Alternative spellings of the brand."),
  excluded_phrases: z.array(textSchema(200).min(1)).max(100).describe("Phrases in which the name has another meaning."),
  kind: z.enum(BRAND_KINDS),
  parent_id: Id.nullable().describe("Brand that a sub-brand or product counts for."),
  relationship: z.enum(BRAND_RELATIONSHIPS).describe("mine: your brand; competitor; other."),
};

export const newBrandFields = {
  name: brandFields.name,
  domains: brandFields.domains.default([]),
  aliases: brandFields.aliases.default([]),
  excluded_phrases: brandFields.excluded_phrases.default([]),
  kind: brandFields.kind.default("brand"),
  parent_id: brandFields.parent_id.default(null),
  relationship: brandFields.relationship.default("other"),
};

export function toBrandFields(given: z.output<z.ZodObject<typeof newBrandFields>>): BrandFields {
  const { name: called, domains, aliases, kind, relationship } = given;
  return {
    name: called,
    domains,
    aliases,
    excludedPhrases: given.excluded_phrases,
    kind,
    parentId: given.parent_id,
    relationship,
  };
}

export const brandPath = { ...workspacePath, brand_id: Id.describe("Brand id, from list_brands.") };

export const Brand = z
  .object({
    id: Id,
    name: z.string(),
    domains: z.array(z.string()),
    aliases: z.array(z.object({ text: z.string(), case_sensitive: z.boolean() })),
    excluded_phrases: z.array(z.string()),
    kind: z.enum(BRAND_KINDS),
    parent_id: Id.nullable(),
    relationship: z.enum(BRAND_RELATIONSHIPS),
    created_at: InstantField,
    updated_at: InstantField,
  })
  .meta({ id: "Brand" });

export function shapeBrand(row: BrandRow): z.input<typeof Brand> {
  return toSnakeCase(row);
}

export const BrandWithHints = Brand.extend({
  hints: z
    .array(
      z.object({
        path: z.string().describe("Field of the risky spelling: name, or an alias such as aliases.0."),
        text: z.string(),
        reason: z.enum(["ordinary_word", "short"]),
        message: z.string(),
        excluded_phrases: z
          .array(z.string())
          .describe("Suggested exclusions: phrases in which the spelling has another meaning."),
      }),
    )
    .describe("Spellings that often have another meaning."),
}).meta({ id: "BrandWithHints" });

export function shapeBrandWithHints(row: BrandRow): z.input<typeof BrandWithHints> {
  return { ...shapeBrand(row), hints: findRiskyNames(row) };
}
