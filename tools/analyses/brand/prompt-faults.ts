import type { FieldError } from "../../../core/errors.ts";
import type { BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import type { CompiledCatalog } from "../../../core/reading/catalog.ts";
import { brandsNamedIn } from "../../../core/reading/find-mentions.ts";
import { repeated } from "../setup-faults.ts";
import type { BrandAnalysisSetup } from "./brand-analysis-setup.ts";

/** What of the prompts of a setup does not fit the setup, or their kinds. */
export function promptFaults(setup: BrandAnalysisSetup, catalog: CompiledCatalog): FieldError[] {
  return [
    ...repeated(setup.prompts.entries(), ([index, { text, country, persona_id: persona }]) => [
      JSON.stringify([text, country, persona]),
      () => `prompts.${index}.text`,
    ]),
    ...setup.prompts.flatMap((prompt, index) =>
      faultsOf(prompt, setup, catalog).map(([field, message]) => ({ path: `prompts.${index}.${field}`, message })),
    ),
  ];
}

type Fault = [field: keyof BrandPrompt, message: string];

function faultsOf(prompt: BrandPrompt, setup: BrandAnalysisSetup, catalog: CompiledCatalog): Fault[] {
  const { kind, text, country, persona_id: persona, look_alike: lookAlike } = prompt;
  const wrong: Fault[] = [];
  if (country !== null && !setup.countries.includes(country)) wrong.push(["country", "is not among countries"]);
  if (persona !== null && !setup.persona_ids.includes(persona)) wrong.push(["persona_id", "is not among persona_ids"]);
  if (kind === "unaided" && brandsNamedIn(text, catalog).size > 0) {
    wrong.push(["text", "names a brand; an unaided prompt names none"]);
  }
  if (lookAlike !== null && kind !== "aided") wrong.push(["look_alike", "is of aided prompts alone"]);
  if (lookAlike !== null && !text.includes(lookAlike)) wrong.push(["text", "does not name look_alike"]);
  return [...wrong, ...brandFaults(prompt, setup), ...attributeFaults(prompt, setup)];
}

function brandFaults({ kind, brand_id: brand }: BrandPrompt, setup: BrandAnalysisSetup): Fault[] {
  if (kind === "unaided") return brand === null ? [] : [["brand_id", "must be null: an unaided prompt names no brand"]];
  const allowed = kind === "comparison" ? setup.competitor_ids : [setup.brand_id, ...setup.competitor_ids];
  if (brand !== null && allowed.includes(brand)) return [];
  const among = kind === "comparison" ? "competitor_ids" : "brand_id and competitor_ids";
  return [["brand_id", `must be one of ${among}`]];
}

function attributeFaults({ kind, attribute }: BrandPrompt, { attributes }: BrandAnalysisSetup): Fault[] {
  if (kind !== "attribute") return attribute === null ? [] : [["attribute", "is of prompts of kind attribute alone"]];
  return attribute !== null && attributes.includes(attribute) ? [] : [["attribute", "must be one of attributes"]];
}
