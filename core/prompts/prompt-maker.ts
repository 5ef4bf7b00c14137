import { getCountryName } from "../shared/analysis-location.ts";
import { compileCatalog, type CompiledCatalog } from "../reading/catalog.ts";
import { findBrandsInPrompt } from "../reading/find-mentions.ts";
import type { BrandPrompt } from "./brand-prompt.ts";
import { createDecoyNames, createSimilarityCheck } from "./decoy-names.ts";
import { TEMPLATES_VERSION, type PromptTemplates } from "./templates.ts";

export interface NamedBrand {
  id: string;
  name: string;
}

export interface PromptPersona {
  id: string;
  name: string;
  archetype: string;
  description: string;
}

export interface PromptMaterial {
  category: string;
  brand: NamedBrand;
  competitors: readonly NamedBrand[];
  attributes: readonly string[];
  personas: readonly PromptPersona[];
  /** Country codes, ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** Language tag, BCP 47; its region is ignored. */
  language: string;
  /** Brands that unaided prompts avoid and look-alikes do not resemble; default: those above. */
  catalog?: CompiledCatalog | undefined;
}

/** Generates prompts of each kind from templates `from` (inclusive) to `to` (exclusive). */
export interface PromptMaker {
  unaided(from: number, to: number): BrandPrompt[];
  makeCountryPrompts(from: number, to: number): BrandPrompt[];
  makePersonaPrompts(from: number, to: number): BrandPrompt[];
  aided(brands: readonly NamedBrand[], lookAlikes: number): BrandPrompt[];
  perception(brands: readonly NamedBrand[], from: number, to: number): BrandPrompt[];
  prosCons(brands: readonly NamedBrand[], from: number, to: number): BrandPrompt[];
  attribute(brands: readonly NamedBrand[], from: number, to: number): BrandPrompt[];
  /** Own brand with each rival, in both orders. */
  comparison(from: number, to: number): BrandPrompt[];
}

export function createPromptMaker(material: PromptMaterial, templates: PromptTemplates): PromptMaker {
  const { category, brand, competitors, attributes, personas, countries, language } = material;
  const catalog = material.catalog ?? createCatalog([brand, ...competitors]);
  const lookAlikes = createDecoyFinder(catalog, [brand, ...competitors]);
  const write = createWriter(templates);
  const plain = (prompts: BrandPrompt[]) => prompts.filter(({ text }) => findBrandsInPrompt(text, catalog).size === 0);
  const about = (brands: readonly NamedBrand[], texts: "perception" | "pros_cons", [from, to]: [number, number]) =>
    brands.flatMap(({ id, name }) => {
      const asked = { kind: "perception", brand_id: id, asks_pros_cons: texts === "pros_cons" } as const;
      return write(texts, [from, to], { category, brand: name }, asked);
    });
  return {
    unaided: (from, to) => plain(write("unaided", [from, to], { category }, { kind: "unaided" })),
    makeCountryPrompts: (from, to) =>
      plain(
        countries.flatMap((country) => {
          const where = { category, country: getCountryName(country, language) };
          return write("in_country", [from, to], where, { kind: "unaided", country });
        }),
      ),
    makePersonaPrompts: (from, to) =>
      plain(
        personas.flatMap((persona) => {
          const who = { category, persona: describePersona(persona, catalog) };
          return write("as_persona", [from, to], who, { kind: "unaided", persona_id: persona.id });
        }),
      ),
    aided: (brands, most) =>
      brands.flatMap(({ id, name }) =>
        [null, ...lookAlikes(name, most)].flatMap((invented) => {
          const asked = { kind: "aided", brand_id: id, look_alike: invented } as const;
          return write("aided", [0, templates.aided.length], { category, brand: invented ?? name }, asked);
        }),
      ),
    perception: (brands, from, to) => about(brands, "perception", [from, to]),
    prosCons: (brands, from, to) => about(brands, "pros_cons", [from, to]),
    attribute: (brands, from, to) =>
      brands.flatMap(({ id, name }) =>
        attributes.flatMap((attribute) => {
          const asked = { kind: "attribute", brand_id: id, attribute } as const;
          return write("attribute", [from, to], { category, brand: name, attribute }, asked);
        }),
      ),
    comparison: (from, to) =>
      competitors.flatMap(({ id, name }) =>
        [
          { first: brand.name, second: name },
          { first: name, second: brand.name },
        ].flatMap((pair) =>
          write("comparison", [from, to], { category, ...pair }, { kind: "comparison", brand_id: id }),
        ),
      ),
  };
}

/** Fills templates with values; braces in values are literal. */
function createWriter(templates: PromptTemplates) {
  return (
    texts: keyof PromptTemplates,
    [from, to]: [number, number],
    values: Readonly<Record<string, string>>,
    prompt: Pick<BrandPrompt, "kind"> & Partial<BrandPrompt>,
  ): BrandPrompt[] =>
    templates[texts].slice(from, to).map((template, at) => ({
      text: template.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key]?.trim() ?? ""),
      country: null,
      persona_id: null,
      brand_id: null,
      attribute: null,
      tag: null,
      look_alike: null,
      asks_pros_cons: false,
      template: `${texts}-${from + at + 1}.${TEMPLATES_VERSION}`,
      ...prompt,
    }));
}

function createCatalog(brands: readonly NamedBrand[]): CompiledCatalog {
  return compileCatalog(
    brands.map(({ id, name }, number) => ({
      id,
      number,
      name,
      aliases: [],
      excluded_phrases: [],
      domains: [],
      kind: "brand",
      parent_id: null,
      relationship: "other",
    })),
  );
}

/** Generates look-alikes that resemble neither catalog names nor earlier look-alikes. */
function createDecoyFinder(catalog: CompiledCatalog, brands: readonly NamedBrand[]) {
  const names = catalog.brands.flatMap(({ name, aliases }) => [name, ...aliases.map(({ text }) => text)]);
  const isTaken = createSimilarityCheck([...names, ...brands.map(({ name }) => name)]);
  const given: string[] = [];
  return (name: string, most: number): string[] => {
    const isGiven = createSimilarityCheck(given);
    const found = createDecoyNames(name, most, (candidate) => isTaken(candidate) || isGiven(candidate));
    given.push(...found);
    return found;
  };
}

const MAX_PRESENTATION_LENGTH = 200;

/** Without naming a brand: archetype with first sentence, archetype, sentence, or name. */
function describePersona({ name, archetype, description }: PromptPersona, catalog: CompiledCatalog): string {
  const [sentence = ""] = /^[^\n.!?。！？]*/.exec(description.trim()) ?? [];
  const shortened = sentence.length > MAX_PRESENTATION_LENGTH ? "" : sentence;
  const ways = [[archetype, shortened], [archetype], [shortened], [name]].map((parts) =>
    parts
      .map((part) => part.trim().replace(/(?<![\s.!?。！？])[\s.!?。！？]+$/u, ""))
      .filter((part) => part !== "")
      .join(". "),
  );
  return ways.find((way) => way !== "" && findBrandsInPrompt(way, catalog).size === 0) ?? name.trim();
}
