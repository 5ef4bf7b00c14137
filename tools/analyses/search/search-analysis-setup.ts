import { z } from "zod";
import { listBrandsByIds } from "../../../db/catalog/brands.ts";
import { listPersonasByIds } from "../../../db/catalog/personas.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { AppError, type FieldError } from "../../../core/errors.ts";
import {
  Country,
  FunnelStageField,
  Id,
  InstantField,
  KeywordTypeField,
  Language,
  name,
  RelatedQueryField,
  SourceField,
  text,
} from "../../../core/fields.ts";
import { fixedSchedule, ScheduleField, scheduleFaults } from "../../../core/schedule.ts";
import { SOURCES } from "../../../core/sources.ts";
import { later, type Instant } from "../../../core/time.ts";

export const MAX_KEYWORDS = 5000;
const MAX_QUESTIONS = 100_000;
const YEAR_MS = 366 * 86_400_000;
const label = () => name(200).optional();

const Keyword = z.strictObject({
  text: text(2000).trim().min(1).describe("What people ask."),
  type: KeywordTypeField.default("Generic").describe("Brand where it names one; kept out of headline visibility."),
  funnel_stage: FunnelStageField.optional(),
  persona_id: Id.optional().describe("Who asks; list_personas gives it."),
  strength: label().describe("Strength that it is about."),
  weakness: label().describe("Weakness that it is about."),
  related_product: label(),
  sub_brand: label(),
  intent: z.array(name(50)).max(10).optional(),
  search_volume: z.int().min(0).optional().describe("Searches a month."),
  trends: z.array(z.number()).max(60).optional().describe("Monthly searches, oldest first."),
  search_interest_trends: z.array(z.number()).max(60).optional(),
  related_queries: z.array(RelatedQueryField).max(20).optional(),
});

/** The setup of a search analysis (service.md section 4): a flat shape that pricing takes and creation follows. */
export const searchAnalysisFields = {
  name: name(200),
  website: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .describe("Website of the brand."),
  brand_id: Id.describe("The own brand; list_brands gives it."),
  competitor_ids: z.array(Id).max(10).default([]).describe("Compared with; list_brands gives them."),
  sources: z
    .array(SourceField)
    .max(SOURCES.length)
    .describe("ChatGPT, Perplexity, …; simulated unless configured. Empty: imported answers only."),
  country: Country.default("US"),
  language: Language.default("en"),
  device: z.enum(["desktop", "mobile"]).default("desktop"),
  thematics: z
    .array(
      z.strictObject({
        name: name(200),
        topics: z
          .array(z.strictObject({ name: name(200), keywords: z.array(Keyword).min(1).max(MAX_KEYWORDS) }))
          .min(1)
          .max(200),
      }),
    )
    .min(1)
    .max(100)
    .describe("Keywords by thematic and topic."),
  runs_per_prompt: z.int().min(1).max(10).default(3).describe("Askings of each keyword per source and collect."),
  schedule: ScheduleField.default("once"),
  ends_at: InstantField.optional().describe("Required unless the schedule is once."),
};

const SetupSchema = z.strictObject(searchAnalysisFields);
/** A setup with its defaults filled in. */
export type SearchAnalysisSetup = z.output<typeof SetupSchema>;

/** What a stored setup reads as; the shape that a price shows. */
export const StoredSetup = z.object(searchAnalysisFields).meta({ id: "SearchAnalysisSetup" });

/** What the store keeps of a setup beside its questions: where and how often they are asked. */
export const StoredSettings = z.object({
  sources: searchAnalysisFields.sources,
  runs_per_prompt: searchAnalysisFields.runs_per_prompt,
});

const { website, sources, country, language, device, runs_per_prompt } = searchAnalysisFields;
/** What an analysis shows of its setup. */
export const ShownSettings = z.object({ website, sources, country, language, device, runs_per_prompt });

/** Keywords of a setup in order, with their groups, and where they stand in it. */
export function* keywordsOf({ thematics }: SearchAnalysisSetup) {
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

/**
 * The setup in its one form: sources in the order of the specification, nothing twice. VALIDATION_FAILED names every
 * field that does not hold together or points at what is not in the workspace.
 */
export async function normaliseSetup(
  tenant: Tenant,
  setup: SearchAnalysisSetup,
  now: Instant,
): Promise<SearchAnalysisSetup> {
  const keywords = countKeywords(setup);
  const wrong: FieldError[] = [
    ...repeated(keywordsOf(setup), ({ keyword, path }) => [keyword.text, () => `${path()}.text`]),
    ...repeated(setup.thematics.entries(), ([index, { name: value }]) => [value, () => `thematics.${index}.name`]),
    ...repeated(setup.competitor_ids.entries(), ([index, value]) => [value, () => `competitor_ids.${index}`]),
    ...repeated(setup.sources.entries(), ([index, value]) => [value, () => `sources.${index}`]),
    ...scheduleFaults(setup.schedule),
    ...endFaults(setup, now),
    ...(await missingReferences(tenant, setup)),
  ];
  if (keywords > MAX_KEYWORDS) wrong.push({ path: "thematics", message: `has more than ${MAX_KEYWORDS} keywords` });
  if (keywords * setup.sources.length * setup.runs_per_prompt > MAX_QUESTIONS) {
    wrong.push({ path: "sources", message: `a collect would ask more than ${MAX_QUESTIONS} questions` });
  }
  if (wrong.length > 0)
    throw new AppError("VALIDATION_FAILED", "The setup does not hold together. Correct the fields named.", {
      fields: wrong,
    });
  const { ends_at: endsAt, ...rest } = setup;
  return {
    ...rest,
    schedule: fixedSchedule(setup.schedule, now),
    sources: SOURCES.filter((source) => setup.sources.includes(source)),
    ...(endsAt === undefined || isOnce(setup) ? {} : { ends_at: new Date(endsAt).toISOString() }),
  };
}

/** Names what is there twice. Paths are written for those alone: a setup has thousands of values. */
function repeated<T>(entries: Iterable<T>, read: (entry: T) => [value: string, path: () => string]): FieldError[] {
  const seen = new Set<string>();
  const wrong: FieldError[] = [];
  for (const entry of entries) {
    const [value, path] = read(entry);
    if (seen.has(value)) wrong.push({ path: path(), message: "is there already" });
    seen.add(value);
  }
  return wrong;
}

function isOnce({ schedule }: SearchAnalysisSetup): boolean {
  return (typeof schedule === "string" ? schedule : schedule.every) === "once";
}

function endFaults(setup: SearchAnalysisSetup, now: Instant): FieldError[] {
  if (isOnce(setup)) return [];
  if (setup.sources.length === 0) return [{ path: "schedule", message: "must be once where there are no sources" }];
  if (setup.ends_at === undefined)
    return [{ path: "ends_at", message: "is needed, so that the whole cost is known before the yes" }];
  const endsAt = new Date(setup.ends_at).toISOString();
  if (endsAt <= now) return [{ path: "ends_at", message: "must be in the future" }];
  return endsAt > later(now, YEAR_MS) ? [{ path: "ends_at", message: "must be within a year" }] : [];
}

/** What the setup points at and the workspace does not have. */
async function missingReferences(tenant: Tenant, setup: SearchAnalysisSetup): Promise<FieldError[]> {
  const known = new Set(
    (await listBrandsByIds(tenant, [setup.brand_id, ...setup.competitor_ids])).map((brand) => brand.id),
  );
  const noBrand = "is not a brand of this workspace; list_brands gives the ids";
  return [
    ...(known.has(setup.brand_id) ? [] : [{ path: "brand_id", message: noBrand }]),
    ...setup.competitor_ids.flatMap((id, index) => {
      if (id === setup.brand_id) return [{ path: `competitor_ids.${index}`, message: "is the own brand" }];
      return known.has(id) ? [] : [{ path: `competitor_ids.${index}`, message: noBrand }];
    }),
    ...(await missingPersonas(tenant, setup)),
  ];
}

async function missingPersonas(tenant: Tenant, setup: SearchAnalysisSetup): Promise<FieldError[]> {
  const named = new Set<string>();
  for (const { keyword } of keywordsOf(setup)) if (keyword.persona_id !== undefined) named.add(keyword.persona_id);
  for (const { id } of await listPersonasByIds(tenant, [...named])) named.delete(id);
  if (named.size === 0) return [];
  const message = "is not a persona of this workspace; list_personas gives the ids";
  return Array.from(keywordsOf(setup)).flatMap(({ keyword, path }) =>
    named.has(keyword.persona_id ?? "") ? [{ path: `${path()}.persona_id`, message }] : [],
  );
}
