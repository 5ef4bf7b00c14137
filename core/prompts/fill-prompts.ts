import type { BrandPrompt } from "./brand-prompt.ts";

/** A brand as prompts name it. */
export interface NamedBrand {
  id: string;
  name: string;
}

/** Someone who asks. */
export interface AskingPersona {
  id: string;
  name: string;
  archetype: string;
  description: string;
}

/** What prompts are made from. */
export interface PromptMaterial {
  category: string;
  brand: NamedBrand;
  competitors: readonly NamedBrand[];
  attributes: readonly string[];
  personas: readonly AskingPersona[];
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** BCP 47; its region does not matter here. */
  language: string;
}

/** Languages that prompts are made in; in another one the setup must bring its own. */
export const TEMPLATE_LANGUAGES = ["en"] as const;

/** True where `fillPrompts` has templates for the language, whatever its region. */
export function hasTemplates(language: string): boolean {
  return TEMPLATE_LANGUAGES.some((known) => known === language.split("-")[0]);
}

/**
 * The prompts of a setup whose caller gave none, in a fixed order: the same material gives the same prompts. Nothing twice, at most 300, and
 * nothing for a language without templates.
 */
export function fillPrompts(material: PromptMaterial): BrandPrompt[] {
  if (!hasTemplates(material.language)) return [];
  const { category, brand, competitors, attributes, personas } = material;
  const brands = [brand, ...competitors];
  return [
    prompt({ kind: "unaided", text: `What are the best options for ${category}?`, template: "unaided-1.1" }),
    prompt({ kind: "unaided", text: `Which ${category} would you recommend?`, template: "unaided-2.1" }),
    ...personas.map(({ id, name }) =>
      prompt({
        kind: "unaided",
        text: `I am ${name}. Which ${category} suits me?`,
        persona_id: id,
        template: "unaided-persona-1.1",
      }),
    ),
    ...brands.map(({ id, name }) =>
      prompt({ kind: "aided", text: `Do you know ${name}?`, brand_id: id, template: "aided-1.1" }),
    ),
    prompt({
      kind: "aided",
      text: `Do you know ${lookAlikeOf(brand.name)}?`,
      brand_id: brand.id,
      look_alike: lookAlikeOf(brand.name),
      template: "aided-1.1",
    }),
    ...brands.flatMap(({ id, name }) => [
      prompt({ kind: "perception", text: `What do you think of ${name}?`, brand_id: id, template: "perception-1.1" }),
      prompt({
        kind: "perception",
        text: `What are the pros and cons of ${name}?`,
        brand_id: id,
        asks_pros_cons: true,
        template: "perception-2.1",
      }),
    ]),
    ...brands.flatMap(({ id, name }) =>
      attributes.map((attribute) =>
        prompt({
          kind: "attribute",
          text: `How good is ${name} for ${attribute}?`,
          brand_id: id,
          attribute,
          template: "attribute-1.1",
        }),
      ),
    ),
    ...competitors.flatMap(({ id, name }) => [
      prompt({
        kind: "comparison",
        text: `${brand.name} or ${name}: which is better?`,
        brand_id: id,
        template: "comparison-1.1",
      }),
      prompt({
        kind: "comparison",
        text: `${name} or ${brand.name}: which is better?`,
        brand_id: id,
        template: "comparison-1.1",
      }),
    ]),
  ];
}

function prompt(given: Pick<BrandPrompt, "kind" | "text" | "template"> & Partial<BrandPrompt>): BrandPrompt {
  return {
    country: null,
    persona_id: null,
    brand_id: null,
    attribute: null,
    tag: null,
    look_alike: null,
    asks_pros_cons: false,
    ...given,
  };
}

/** A name that looks like the brand's and is none. */
function lookAlikeOf(name: string): string {
  return `${name.slice(0, Math.ceil(name.length / 2))}oravel`;
}
