import { describe, expect, test } from "vitest";
import { BrandPrompt, PROMPT_KINDS } from "../../core/prompts/brand-prompt.ts";
import { generateBrandPrompts } from "../../core/prompts/generate-prompts.ts";
import type { PromptMaterial } from "../../core/prompts/prompt-maker.ts";
import { TEMPLATE_LANGUAGES, listTemplates, TEMPLATES_VERSION } from "../../core/prompts/templates.ts";
import { alias, brand, catalogOf } from "../measurement/brands.ts";

const id = (last: number) => `00000000-0000-7000-8000-${String(last).padStart(12, "0")}`;

const material: PromptMaterial = {
  category: "headphones",
  brand: { id: id(1), name: "Sony" },
  competitors: [{ id: id(2), name: "Bose" }],
  attributes: ["battery"],
  personas: [{ id: id(3), name: "Anna", archetype: "commuter", description: "Rides the train. Hates noise." }],
  countries: ["US", "DE"],
  language: "en-GB",
};

const RIVALS = [
  "Bose",
  "Jabra",
  "Sennheiser",
  "Philips",
  "Panasonic",
  "Marshall",
  "Audeze",
  "Grado",
  "Denon",
  "Technics",
];
const largest: PromptMaterial = {
  ...material,
  competitors: RIVALS.map((name, at) => ({ id: id(10 + at), name })),
  attributes: ["price", "comfort", "battery", "sound", "service", "range"],
  personas: Array.from({ length: 5 }, (_, at) => ({
    id: id(30 + at),
    name: `P${at}`,
    archetype: `person ${at}`,
    description: "",
  })),
  countries: ["US", "DE", "FR", "ES", "JP", "GB", "CH", "AT"],
};

const key = ({ text }: BrandPrompt) => text.toLowerCase();

describe.each(TEMPLATE_LANGUAGES)("in %s", (language) => {
  test("generates prompts of every kind, each once, in the shape that a caller sends back", () => {
    const prompts = generateBrandPrompts({ ...material, language });
    expect(new Set(prompts.map(({ kind }) => kind))).toEqual(new Set(PROMPT_KINDS));
    expect(new Set(prompts.map(key)).size).toBe(prompts.length);
    expect(prompts.map((one) => BrandPrompt.parse(one))).toEqual(prompts);
    expect(generateBrandPrompts({ ...material, language })).toEqual(prompts);
  });

  test("the largest setup fits, and asks about every rival alike", () => {
    const prompts = generateBrandPrompts({ ...largest, language });
    expect(prompts.length).toBeLessThanOrEqual(300);
    expect(prompts.length).toBeGreaterThan(280);
    const perRival = largest.competitors.map((rival) =>
      PROMPT_KINDS.map((kind) => prompts.filter((one) => one.kind === kind && one.brand_id === rival.id).length),
    );
    // Per rival: five prompts for the brand and five for its look-alike; three opinions and one
    // about pros and cons; both orders.
    expect(new Set(perRival.map(String))).toEqual(new Set(["0,10,4,6,2"]));
    const own = PROMPT_KINDS.map((kind) => prompts.filter((one) => one.kind === kind && one.brand_id === id(1)).length);
    expect(own).toEqual([0, 15, 7, 18, 0]);
    expect(prompts.filter(({ kind }) => kind === "unaided").length).toBe(20 + 8 + 10);
  });

  test("uses every phrasing in a large enough set, with no placeholder left", () => {
    const prompts = generateBrandPrompts({ ...material, language });
    const templates = listTemplates(language);
    const used = new Set(prompts.map(({ template }) => template));
    const known = Object.entries(templates).flatMap(([kind, texts]: [string, string[]]) =>
      texts.map((_, at) => `${kind}-${at + 1}.${TEMPLATES_VERSION}`),
    );
    expect(used).toEqual(new Set(known));
    expect(prompts.filter(({ text }) => /[{}]|undefined/.test(text))).toEqual([]);
  });

  test("names no brand in unaided prompts, and names the subject in all others", () => {
    const catalog = catalogOf("Sony", ...RIVALS);
    const names = new Map([material.brand, ...largest.competitors].map((one) => [one.id, one.name]));
    const wrong = generateBrandPrompts({ ...largest, catalog, language }).filter(
      ({ kind, text, brand_id: of, look_alike }) => {
        if (kind === "unaided") return [...names.values()].some((name) => text.includes(name));
        const isPair = kind !== "comparison" || text.includes("Sony");
        return !isPair || !text.includes(look_alike ?? names.get(of ?? "") ?? "?");
      },
    );
    expect(wrong).toEqual([]);
  });

  test("phrases look-alike prompts like those of their brand", () => {
    const aided = generateBrandPrompts({ ...largest, language }).filter(({ kind }) => kind === "aided");
    const names = new Map([material.brand, ...largest.competitors].map((one) => [one.id, one.name]));
    for (const control of aided.filter(({ look_alike: invented }) => invented !== null)) {
      const pair = aided.find(
        ({ brand_id: of, look_alike: invented, template }) =>
          of === control.brand_id && invented === null && template === control.template,
      );
      expect(control.text).toBe(pair?.text.replace(names.get(pair.brand_id ?? "") ?? "", control.look_alike ?? ""));
    }
    expect(new Set(aided.map(({ look_alike: invented }) => invented)).size).toBe(1 + 2 + 10);
  });
});

test("generates no prompts in a language without templates", () => {
  expect(
    TEMPLATE_LANGUAGES.every(
      (language) => generateBrandPrompts({ ...material, language: `${language}-XX` }).length > 0,
    ),
  ).toBe(true);
  expect(generateBrandPrompts({ ...material, language: "fi" })).toEqual([]);
});

test("a brand that only the catalog knows, by an alias, is in no unaided prompt", () => {
  // Fault: a category or persona that names a tracked brand made prompts useless as a measure of
  // unaided awareness.
  const catalog = catalogOf("Sony", "Bose", brand("Acme Group", { aliases: [alias("Acmephones")] }));
  const kinds = (changed: Partial<PromptMaterial>) =>
    generateBrandPrompts({ ...material, catalog, ...changed }).filter(({ kind }) => kind === "unaided");
  expect(kinds({ category: "acmephones" })).toEqual([]);
  const [persona] = material.personas;
  const named = { id: id(3), name: "Anna", archetype: "Acmephones fan", description: "Rides the train." };
  expect(kinds({ personas: [named] }).find(({ persona_id: as }) => as !== null)?.text).toContain("Rides the train");
  const nameless = { ...named, name: "Acmephones", description: "Has Acmephones" };
  expect(kinds({ personas: [nameless] }).filter(({ persona_id: as }) => as !== null)).toEqual([]);
  expect(kinds({ personas: persona ? [persona] : [] }).length).toBe(20 + 2 * 2 + 3);
});

test("repeats prompts per country and persona only where the text depends on them, and once for equal personas", () => {
  const twice = { ...material, personas: [3, 4].map((last) => ({ ...material.personas[0], id: id(last) })) };
  const prompts = generateBrandPrompts(twice as PromptMaterial);
  const placed = prompts.filter(({ country, persona_id: as }) => country !== null || as !== null);
  expect(placed.map(({ country, persona_id: as }) => country ?? as)).toEqual([
    "US",
    "DE",
    id(3),
    id(3),
    "US",
    "DE",
    id(3),
  ]);
  expect(placed[0]?.text).toBe("What are the best options for headphones where I live (United States)?");
  expect(placed[2]?.text).toBe("About me: commuter. Rides the train. Which brands of headphones would suit me?");
});

test("treats values with braces as plain text", () => {
  const prompts = generateBrandPrompts({ ...material, category: "{brand} and $& {category}" });
  expect(prompts.find(({ template }) => template === `unaided-4.${TEMPLATES_VERSION}`)?.text).toBe(
    "Who are the leaders in {brand} and $& {category}?",
  );
});
