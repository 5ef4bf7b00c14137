import { z } from "zod";
import { listPersonasByIds } from "../../../../db/catalog/personas.ts";
import type { Tenant } from "../../../../db/engine/store.ts";
import type { SourceAdapters } from "../../../../core/sources/adapters.ts";
import type { FieldError } from "../../../../core/shared/errors.ts";
import {
  Country,
  FunnelStageField,
  Id,
  InstantField,
  KeywordTypeField,
  Language,
  nameSchema,
  RelatedQueryField,
  SourceField,
  textSchema,
  unlisted,
} from "../../../../core/shared/fields.ts";
import { ScheduleField } from "../../../../core/analyses/schedule.ts";
import { SOURCES } from "../../../../core/sources/sources.ts";
import type { Instant } from "../../../../core/shared/time.ts";
import {
  listJobSources,
  findAskingSetupFaults,
  normaliseCommonFields,
  MAX_QUESTIONS,
  methodsField,
  rejectFaults,
  findDuplicates,
} from "../../setup/setup-faults.ts";
import { MaxSpendField } from "../../setup/spend-cap.ts";

export const MAX_KEYWORDS = 5000;
const labelField = () => nameSchema(200).optional();

const KeywordSchema = z.strictObject({
  text: textSchema(2000).trim().min(1).describe("The prompt."),
  type: KeywordTypeField.default("Generic").describe("Brand: names a brand; not counted in headline visibility."),
  funnel_stage: FunnelStageField.optional(),
  persona_id: Id.optional().describe("Persona id, from list_personas."),
  strength: labelField().describe("Strength that the prompt is about."),
  weakness: labelField().describe("Weakness that the prompt is about."),
  related_product: labelField(),
  sub_brand: labelField(),
  intent: unlisted(z.array(nameSchema(50)).max(10).optional()),
  search_volume: z.int().min(0).optional().describe("Monthly searches."),
  trends: unlisted(z.array(z.number()).max(60).optional().describe("Monthly searches, oldest first.")),
  search_interest_trends: unlisted(z.array(z.number()).max(60).optional()),
  related_queries: unlisted(z.array(RelatedQueryField).max(20).optional()),
});

/** See service.md section 4; flat for pricing and creation. */
export const searchAnalysisFields = {
  name: nameSchema(200).describe("Display name."),
  website: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .describe("The brand's website."),
  brand_id: Id.describe("Your brand, from list_brands."),
  competitor_ids: z.array(Id).max(10).default([]).describe("Competitor ids, from list_brands."),
  sources: z
    .array(SourceField)
    .max(SOURCES.length)
    .describe("Such as ChatGPT; from list_sources; simulated unless configured. Empty: imports only."),
  methods: methodsField,
  country: Country.default("US"),
  language: Language.default("en"),
  device: z.enum(["desktop", "mobile"]).default("desktop").describe("Searching device."),
  thematics: z
    .array(
      z.strictObject({
        name: nameSchema(200).describe("Thematic."),
        topics: z
          .array(
            z.strictObject({
              name: nameSchema(200).describe("Topic."),
              keywords: z.array(KeywordSchema).min(1).max(MAX_KEYWORDS).describe("Prompts."),
            }),
          )
          .min(1)
          .max(200)
          .describe("Topics of it."),
      }),
    )
    .min(1)
    .max(100)
    .describe("Prompts by thematic and topic."),
  runs_per_prompt: z.int().min(1).max(10).default(3).describe("Repeats per prompt and source."),
  schedule: ScheduleField.default("once"),
  ends_at: InstantField.optional().describe("Required unless schedule is once."),
  max_spend_usd: MaxSpendField,
};

const SetupSchema = z.strictObject(searchAnalysisFields);
export type SearchAnalysisSetup = z.output<typeof SetupSchema>;

export const StoredSetupSchema = z.object(searchAnalysisFields).meta({ id: "SearchAnalysisSetup" });

export const StoredSettingsSchema = z.object({
  sources: searchAnalysisFields.sources,
  methods: searchAnalysisFields.methods,
  runs_per_prompt: searchAnalysisFields.runs_per_prompt,
});

const { website, sources, methods, country, language, device, runs_per_prompt } = searchAnalysisFields;
export const ShownSettingsSchema = z.object({ website, sources, methods, country, language, device, runs_per_prompt });

export function* eachKeyword({ thematics }: SearchAnalysisSetup) {
  for (const [thematicIndex, thematic] of thematics.entries()) {
    for (const [topicIndex, topic] of thematic.topics.entries()) {
      for (const [index, keyword] of topic.keywords.entries()) {
        const path = () => `thematics.${thematicIndex}.topics.${topicIndex}.keywords.${index}`;
        yield { keyword, thematic: thematic.name, topic: topic.name, path };
      }
    }
  }
}

export function countKeywords({ thematics }: SearchAnalysisSetup): number {
  return thematics.reduce(
    (sum, { topics }) => topics.reduce((inside, { keywords }) => inside + keywords.length, sum),
    0,
  );
}

/** VALIDATION_FAILED names every invalid field. */
export async function normaliseSetup(
  tenant: Tenant,
  setup: SearchAnalysisSetup,
  by: { now: Instant; adapters: SourceAdapters },
): Promise<SearchAnalysisSetup> {
  const keywords = countKeywords(setup);
  const wrong: FieldError[] = [
    ...findDuplicates(eachKeyword(setup), ({ keyword, path }) => [keyword.text, () => `${path()}.text`]),
    ...findDuplicates(setup.thematics.entries(), ([index, { name: value }]) => [
      value,
      () => `thematics.${index}.name`,
    ]),
    ...(await findAskingSetupFaults(tenant, setup, by)),
    ...(await findMissingPersonas(tenant, setup)),
  ];
  if (keywords > MAX_KEYWORDS) wrong.push({ path: "thematics", message: `has more than ${MAX_KEYWORDS} keywords` });
  if (keywords * listJobSources(setup).length * setup.runs_per_prompt > MAX_QUESTIONS) {
    wrong.push({ path: "sources", message: `a run would send more than ${MAX_QUESTIONS} prompts` });
  }
  rejectFaults(wrong);
  return normaliseCommonFields(setup, by.now);
}

async function findMissingPersonas(tenant: Tenant, setup: SearchAnalysisSetup): Promise<FieldError[]> {
  const named = new Set<string>();
  for (const { keyword } of eachKeyword(setup)) if (keyword.persona_id !== undefined) named.add(keyword.persona_id);
  for (const { id } of await listPersonasByIds(tenant, [...named])) named.delete(id);
  if (named.size === 0) return [];
  const message = "is not a persona of this workspace; list_personas gives the ids";
  return Array.from(eachKeyword(setup)).flatMap(({ keyword, path }) =>
    named.has(keyword.persona_id ?? "") ? [{ path: `${path()}.persona_id`, message }] : [],
  );
}
