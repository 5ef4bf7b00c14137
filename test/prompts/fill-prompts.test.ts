import { expect, test } from "vitest";
import { BrandPrompt, PROMPT_KINDS } from "../../core/prompts/brand-prompt.ts";
import { fillPrompts, hasTemplates, TEMPLATE_LANGUAGES, type PromptMaterial } from "../../core/prompts/fill-prompts.ts";

const id = (last: number) => `00000000-0000-7000-8000-${String(last).padStart(12, "0")}`;

const material: PromptMaterial = {
  category: "headphones",
  brand: { id: id(1), name: "Sony" },
  competitors: [{ id: id(2), name: "Bose" }],
  attributes: ["battery"],
  personas: [{ id: id(3), name: "Anna", archetype: "commuter", description: "Rides the train." }],
  countries: ["US", "DE"],
  language: "en-GB",
};

test("prompts are made of every kind, each once, in the form in which a caller sends them back", () => {
  const prompts = fillPrompts(material);
  expect(new Set(prompts.map(({ kind }) => kind))).toEqual(new Set(PROMPT_KINDS));
  expect(new Set(prompts.map((one) => JSON.stringify(one))).size).toBe(prompts.length);
  expect(prompts.map((one) => BrandPrompt.parse(one))).toEqual(prompts);
});

test("no prompts are made in a language without templates", () => {
  expect(TEMPLATE_LANGUAGES.every((language) => hasTemplates(`${language}-XX`))).toBe(true);
  expect(fillPrompts({ ...material, language: "fi" })).toEqual([]);
});
