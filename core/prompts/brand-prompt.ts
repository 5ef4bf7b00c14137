import { z } from "zod";
import { Country, Id, nameSchema, textSchema, unlisted } from "../shared/fields.ts";

/** Purposes of prompts in a brand analysis (service.md section 4). */
export const PROMPT_KINDS = ["unaided", "aided", "perception", "attribute", "comparison"] as const;
export type PromptKind = (typeof PROMPT_KINDS)[number];
/** Prompts whose answers state pros and cons of a brand unprompted. */
export const SENTIMENT_KINDS = ["unaided", "aided", "perception"] as const satisfies readonly PromptKind[];

/**
 * A prompt in a setup, sent once per country and persona of the setup unless it names its own
 * (docs/brand-analyses.md). Descriptions are short because tool listings are limited.
 */
export const BrandPrompt = z.strictObject({
  kind: z.enum(PROMPT_KINDS).describe("What the prompt measures."),
  text: textSchema(2000).trim().min(1).describe("Text of the prompt."),
  /** Country that the prompt is sent for; null for each country of the setup. */
  country: Country.nullable().default(null).describe("Only this country."),
  /** Persona that the prompt is sent as; null for each persona of the setup. */
  persona_id: Id.nullable().default(null).describe("Only this persona."),
  /** Brand that the prompt is about; null for unaided prompts. */
  brand_id: Id.nullable().default(null).describe("Brand in the prompt."),
  attribute: nameSchema(100).nullable().default(null).describe("Attribute in the prompt."),
  tag: unlisted(nameSchema(100).nullable().default(null)),
  look_alike: unlisted(nameSchema(200).nullable().default(null).describe("Invented brand (control).")),
  /** True for a prompt that asks for pros or cons; sentiment excludes such prompts. */
  asks_pros_cons: unlisted(z.boolean().default(false)),
  /** Template with version; pairs the aided prompts of a brand and its look-alike. */
  template: unlisted(nameSchema(50).nullable().default(null)),
});
export type BrandPrompt = z.output<typeof BrandPrompt>;

export interface PromptContext {
  kind: PromptKind;
  /** Brand in the prompt, in a comparison the own brand; null without one. */
  brandId: string | null;
  /** Invented name that replaces the brand. */
  lookAlike: string | null;
  otherBrandId: string | null;
  attribute: string | null;
  asksProsCons: boolean;
}
