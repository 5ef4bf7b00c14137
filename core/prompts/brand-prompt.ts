import { z } from "zod";
import { Country, Id, name, text } from "../shared/fields.ts";

/** What a prompt of a brand analysis is for (service.md section 4). */
export const PROMPT_KINDS = ["unaided", "aided", "perception", "attribute", "comparison"] as const;
export type PromptKind = (typeof PROMPT_KINDS)[number];

/**
 * A question of a brand analysis as its setup holds it. It is asked once for each country and persona of the setup, or only for those that it
 * names. Described in docs/brand-analyses.md: a tool's listing has no room for more.
 */
export const BrandPrompt = z.strictObject({
  kind: z.enum(PROMPT_KINDS),
  text: text(2000).trim().min(1),
  /** Null: in every country of the setup. */
  country: Country.nullable().default(null).describe("Only asked there."),
  /** Null: as every persona of the setup. */
  persona_id: Id.nullable().default(null).describe("Only asked as this persona."),
  /** Null for unaided. */
  brand_id: Id.nullable().default(null).describe("Brand asked about."),
  /** One of the setup's, for kind attribute. */
  attribute: name(100).nullable().default(null),
  /** A label of the caller's own. */
  tag: name(100).nullable().default(null),
  look_alike: name(200).nullable().default(null).describe("Invented brand, as a control."),
  /** True where it asks for pros or cons: sentiment is taken from prompts that do not. */
  asks_pros_cons: z.boolean().default(false),
  /** The template and its version. Pairs the aided prompts of a brand with those of its look-alike. */
  template: name(50).nullable().default(null),
});
export type BrandPrompt = z.output<typeof BrandPrompt>;

/** What the reading of an answer to a prompt of a brand analysis must know of it. */
export interface AskedPrompt {
  kind: PromptKind;
  /** The brand that is asked about: of a comparison the own brand; null where none is named. */
  brandId: string | null;
  /** The invented name that is asked for in place of the brand. */
  lookAlike: string | null;
  /** Of a comparison, the rival that the own brand is compared with. */
  otherBrandId: string | null;
  attribute: string | null;
  asksProsCons: boolean;
}
