import { z } from "zod";
import type { KeywordFilter } from "../../../db/metrics/search-metrics.ts";
import { CompetitorTypeField, Id, SourceField, unlisted } from "../../../core/shared/fields.ts";
import { nameOrId, type NamedKind } from "../../name-or-id.ts";
import { dateQuery } from "./date-window.ts";
import type { PromptKind } from "../../../core/prompts/brand-prompt.ts";
import {
  CHOSEN_METHODS,
  KEYWORD_TYPES,
  SOURCES,
  type KeywordType,
  type Source,
} from "../../../core/sources/sources.ts";

// Parameters of interface.md 4.6 and 4.7. Absent, null and empty all mean no filter.

const LIST_LIMIT = 1000;
const namesOrIds = (kind: NamedKind) => z.array(nameOrId(kind)).max(LIST_LIMIT).nullish();

export const projectQuery = {
  client_id: Id.describe("Organization id, from list_organizations."),
  project_id: Id.describe("Analysis id, from list_analyses."),
};

const collectIdsField = z.array(Id).max(LIST_LIMIT).nullish();

export const collectQuery = {
  collect_id: Id.nullish().describe("Run, from list_collects; default: latest."),
  collect_ids: collectIdsField.describe("Runs, measured as one; default: latest."),
  prev_collect_ids: collectIdsField.describe("Default: the previous run."),
  ...dateQuery,
};

export const thematicNamesField = z.array(nameOrId("thematic")).max(LIST_LIMIT).describe("Names or ids; empty: all.");

export const sourceListField = z.array(SourceField).max(SOURCES.length * 2);
export const statisticsField = z.boolean().default(false).describe("Add intervals and grades; changes if available.");

export const SOURCES_DESCRIPTION = "ChatGPT, Perplexity, Claude, Gemini, Google, Bing, …, from get_project_filters.";

export const sourcesField = z.array(SourceField).max(SOURCES.length).optional().describe(SOURCES_DESCRIPTION);

export const countriesField = z.array(nameOrId("country")).max(LIST_LIMIT).optional().describe("Such as US.");

export const topicsField = z.array(nameOrId("topic")).max(LIST_LIMIT).optional().describe("From get_project_filters.");
export const personasField = z.array(nameOrId("persona")).max(LIST_LIMIT).optional().describe("Names or ids.");

export const keywordQuery = {
  persona_ids: namesOrIds("persona").describe("Names or ids."),
  countries: countriesField,
  topic_ids: namesOrIds("topic").describe("Names or ids, from get_project_filters."),
  strength_ids: unlisted(namesOrIds("strength").describe("Prompts about these.")),
  weakness_ids: unlisted(namesOrIds("weakness").describe("Prompts about these.")),
  related_product_ids: unlisted(namesOrIds("related_product").describe("Prompts about these.")),
  sub_brand_ids: unlisted(namesOrIds("sub_brand").describe("Prompts about these.")),
};

export const competitorTypesField = z.array(CompetitorTypeField).max(100).nullish();

type KeywordLists = { [K in keyof typeof keywordQuery]?: readonly string[] | null | undefined };

export function keywordFilter(
  input: KeywordLists & {
    keywords?: readonly string[] | null | undefined;
    thematics?: readonly string[] | null | undefined;
    funnel_stages?: readonly string[] | null | undefined;
    prompt_kinds?: readonly PromptKind[] | null | undefined;
    perception_type?: string | null | undefined;
  },
  types: readonly KeywordType[],
): KeywordFilter {
  return {
    keywordIds: input.keywords ?? [],
    thematicIds: input.thematics ?? [],
    types,
    topicIds: input.topic_ids ?? [],
    personaIds: input.persona_ids ?? [],
    countries: input.countries ?? [],
    strengthIds: input.strength_ids ?? [],
    weaknessIds: input.weakness_ids ?? [],
    relatedProductIds: input.related_product_ids ?? [],
    subBrandIds: input.sub_brand_ids ?? [],
    funnelStages: input.funnel_stages ?? [],
    promptKinds: input.prompt_kinds ?? [],
    perception: input.perception_type ?? null,
  };
}

/** Deduplicated, in specification order; null if empty. */
export function selectSources(sources: readonly Source[] | null | undefined): readonly Source[] | null {
  return sources && sources.length > 0 ? SOURCES.filter((source) => sources.includes(source)) : null;
}

export function namedFilters(input: Readonly<Record<string, unknown>>): string[] {
  return NARROWING_FIELDS.filter((name) => {
    const value = input[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
  });
}

const NARROWING_FIELDS = [
  "sources",
  "thematics",
  "keyword_type",
  ...Object.keys(keywordQuery),
  "keywords",
  "funnel_stages",
  "perception_type",
  "competitor_types",
  "topics",
  "personas",
  "keyword_types",
  "prompt_kinds",
  "brands",
  "with_brand",
  "absent_brand",
  "kind",
  "method",
];

export const kindQuery = {
  kind: unlisted(z.literal("simulated").nullish().describe("Only simulated answers.")),
  method: unlisted(z.enum(CHOSEN_METHODS).nullish().describe("api: the model; capture: its website.")),
};

export function chosenTypes(types: readonly KeywordType[] | null | undefined, otherwise: readonly KeywordType[]) {
  return types && types.length > 0 ? KEYWORD_TYPES.filter((type) => types.includes(type)) : otherwise;
}
