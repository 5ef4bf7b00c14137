import { z } from "zod";
import type { FieldError } from "../../../../core/shared/errors.ts";
import { BrandPrompt } from "../../../../core/prompts/brand-prompt.ts";
import type { CompiledCatalog } from "../../../../core/reading/catalog.ts";
import { findBrandsInPrompt } from "../../../../core/reading/find-mentions.ts";
import {
  findDuplicates,
  listJobSources,
  findAskingSetupFaults,
  normaliseCommonFields,
  MAX_QUESTIONS,
  methodsField,
  rejectFaults,
  findDuplicatesIn,
} from "../../setup/setup-faults.ts";
import { listBrandsByIds } from "../../../../db/catalog/brands.ts";
import type { CatalogCache } from "../../../../db/catalog/catalogs.ts";
import { listPersonasByIds } from "../../../../db/catalog/personas.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import type { SourceAdapters } from "../../../../core/sources/adapters.ts";
import { Country, Id, InstantField, Language, nameSchema, SourceField } from "../../../../core/shared/fields.ts";
import { generateBrandPrompts } from "../../../../core/prompts/generate-prompts.ts";
import { TEMPLATE_LANGUAGES } from "../../../../core/prompts/templates.ts";
import { ScheduleField } from "../../../../core/analyses/schedule.ts";
import { SOURCES } from "../../../../core/sources/sources.ts";
import type { Instant } from "../../../../core/shared/time.ts";
import { MaxSpendField } from "../../setup/spend-cap.ts";
import { countQuestions } from "./brand-questions.ts";
import { formatInteger } from "../../../../core/shared/format-count.ts";

const MAX_PROMPTS = 300;

/** See service.md section 4. */
export const brandAnalysisFields = {
  name: nameSchema(200).describe("Display name."),
  brand_id: Id.describe("Your brand, from list_brands."),
  category: nameSchema(200).describe("Product category, such as coffee machines."),
  competitor_ids: z.array(Id).min(1).max(10).describe("Competitor ids, from list_brands."),
  attributes: z.array(nameSchema(100)).max(6).default([]).describe("Compared attributes, such as price."),
  countries: z.array(Country).min(1).max(8).default(["US"]).describe("Every prompt runs in each country."),
  language: Language.default("en").describe(`${TEMPLATE_LANGUAGES.join(", ")}; others need \`prompts\`.`),
  persona_ids: z.array(Id).max(5).default([]).describe("Every prompt runs as each persona, from list_personas."),
  sources: z
    .array(SourceField)
    .min(1)
    .max(SOURCES.length)
    .describe("Such as ChatGPT; from list_sources; simulated unless configured."),
  methods: methodsField,
  runs_per_prompt: z.int().min(1).max(10).default(3).describe("Repeats per prompt and source."),
  schedule: ScheduleField.default("once"),
  ends_at: InstantField.optional().describe("Required unless schedule is once."),
  max_spend_usd: MaxSpendField,
  prompts: z.array(BrandPrompt).min(1).max(MAX_PROMPTS).optional().describe("Default: from templates."),
};

export const StoredSetupSchema = z
  .object({ ...brandAnalysisFields, prompts: z.array(BrandPrompt) })
  .meta({ id: "BrandAnalysisSetup" });
export type BrandAnalysisSetup = z.output<typeof StoredSetupSchema>;
export type GivenSetup = Omit<BrandAnalysisSetup, "prompts"> & { prompts?: BrandPrompt[] | undefined };

const { category, attributes, countries, language, persona_ids, sources, methods, runs_per_prompt } =
  brandAnalysisFields;
export const ShownSettingsSchema = z.object({
  category,
  attributes,
  countries,
  language,
  persona_ids,
  sources,
  methods,
  runs_per_prompt,
});

/** Fills in template prompts if none are given. VALIDATION_FAILED names every invalid field. */
export async function normaliseSetup(
  tenant: Tenant,
  given: GivenSetup,
  { now, catalogs, adapters }: { now: Instant; catalogs: CatalogCache; adapters: SourceAdapters },
): Promise<BrandAnalysisSetup> {
  const wrong = [
    ...findDuplicatesIn("attributes", given.attributes),
    ...findDuplicatesIn("countries", given.countries),
    ...findDuplicatesIn("persona_ids", given.persona_ids),
    ...(await findAskingSetupFaults(tenant, given, { now, adapters })),
    ...(await findMissingPersonas(tenant, given)),
  ];
  rejectFaults(wrong);
  const { compiled: catalog } = await catalogs.load(tenant);
  const setup = { ...given, prompts: given.prompts ?? (await generatePrompts(tenant, given, catalog)) };
  if (setup.prompts.length === 0) {
    wrong.push({ path: "prompts", message: "is required: there are no prompt templates in this language" });
  } else if (given.prompts === undefined && setup.prompts.every(({ kind }) => kind !== "unaided")) {
    wrong.push({ path: "category", message: "names a brand, but the unaided prompts generated from it must not" });
  }
  wrong.push(...listPromptFaults(setup, catalog));
  const questions = countQuestions(setup) * listJobSources(setup).length * setup.runs_per_prompt;
  if (questions > MAX_QUESTIONS) {
    const much = `a collect would ask ${formatInteger(questions)} questions, more than ${formatInteger(MAX_QUESTIONS)}`;
    wrong.push({
      path: "prompts",
      message: `${much}: use fewer prompts, countries, personas or sources`,
    });
  }
  rejectFaults(wrong);
  return normaliseCommonFields(setup, now);
}

async function findMissingPersonas(tenant: Tenant, { persona_ids: ids }: GivenSetup): Promise<FieldError[]> {
  const known = new Set((await listPersonasByIds(tenant, ids)).map(({ id }) => id));
  const message = "is not a persona of this workspace; list_personas gives the ids";
  return ids.flatMap((id, index) => (known.has(id) ? [] : [{ path: `persona_ids.${index}`, message }]));
}

async function generatePrompts(tenant: Tenant, setup: GivenSetup, catalog: CompiledCatalog): Promise<BrandPrompt[]> {
  const names = new Map(
    (await listBrandsByIds(tenant, [setup.brand_id, ...setup.competitor_ids])).map(({ id, name: one }) => [id, one]),
  );
  const named = (id: string) => ({ id, name: names.get(id) ?? "" });
  const personas = new Map((await listPersonasByIds(tenant, setup.persona_ids)).map((row) => [row.id, row]));
  return generateBrandPrompts({
    category: setup.category,
    brand: named(setup.brand_id),
    competitors: setup.competitor_ids.map(named),
    attributes: setup.attributes,
    personas: setup.persona_ids.flatMap((id) => personas.get(id) ?? []),
    countries: setup.countries,
    language: setup.language,
    catalog,
  });
}

function listPromptFaults(setup: BrandAnalysisSetup, catalog: CompiledCatalog): FieldError[] {
  return [
    ...findDuplicates(setup.prompts.entries(), ([index, { text, country, persona_id: persona }]) => [
      JSON.stringify([text, country, persona]),
      () => `prompts.${index}.text`,
    ]),
    ...setup.prompts.flatMap((prompt, index) =>
      findPromptFaults(prompt, setup, catalog).map(([field, message]) => ({
        path: `prompts.${index}.${field}`,
        message,
      })),
    ),
  ];
}

type PromptFault = [field: keyof BrandPrompt, message: string];

function findPromptFaults(prompt: BrandPrompt, setup: BrandAnalysisSetup, catalog: CompiledCatalog): PromptFault[] {
  const { kind, text, country, persona_id: persona, look_alike: lookAlike } = prompt;
  const wrong: PromptFault[] = [];
  if (country !== null && !setup.countries.includes(country)) wrong.push(["country", "is not among countries"]);
  if (persona !== null && !setup.persona_ids.includes(persona)) wrong.push(["persona_id", "is not among persona_ids"]);
  if (kind === "unaided" && findBrandsInPrompt(text, catalog).size > 0) {
    wrong.push(["text", "names a brand; an unaided prompt names none"]);
  }
  if (lookAlike !== null && kind !== "aided") wrong.push(["look_alike", "is of aided prompts alone"]);
  if (lookAlike !== null && !text.includes(lookAlike)) wrong.push(["text", "does not name look_alike"]);
  return [...wrong, ...findBrandFaults(prompt, setup), ...findAttributeFaults(prompt, setup)];
}

function findBrandFaults({ kind, brand_id: brand }: BrandPrompt, setup: BrandAnalysisSetup): PromptFault[] {
  if (kind === "unaided") return brand === null ? [] : [["brand_id", "must be null: an unaided prompt names no brand"]];
  const allowed = kind === "comparison" ? setup.competitor_ids : [setup.brand_id, ...setup.competitor_ids];
  if (brand !== null && allowed.includes(brand)) return [];
  const among = kind === "comparison" ? "competitor_ids" : "brand_id and competitor_ids";
  return [["brand_id", `must be one of ${among}`]];
}

function findAttributeFaults({ kind, attribute }: BrandPrompt, setup: BrandAnalysisSetup): PromptFault[] {
  if (kind !== "attribute") return attribute === null ? [] : [["attribute", "is of prompts of kind attribute alone"]];
  return attribute !== null && setup.attributes.includes(attribute) ? [] : [["attribute", "must be one of attributes"]];
}
