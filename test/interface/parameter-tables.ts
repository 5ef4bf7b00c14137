// The tables of parameters of interface.md sections 4.6 and 4.7, in the words of the specification.

export interface ParameterRow {
  name: string;
  type: string;
  required: boolean;
}

const rows = (required: boolean, type: string, ...names: string[]): ParameterRow[] =>
  names.map((name) => ({ name, type, required }));

const STRINGS = "array of string or null";
const FACETS = ["persona_ids", "topic_ids", "strength_ids", "weakness_ids", "related_product_ids", "sub_brand_ids"];

export const PARAMETER_TABLES: Record<string, readonly ParameterRow[]> = {
  "4.6": [
    ...rows(true, "string", "project_id", "client_id"),
    ...rows(true, "array of Sources enum", "sources"),
    ...rows(true, "array of string", "thematics"),
    ...rows(true, "array of Keyword types enum", "keyword_type"),
    ...rows(false, "string or null", "collect_id"),
    ...rows(false, STRINGS, "collect_ids"),
    ...rows(false, "string or null", "prev_collect_id"),
    ...rows(false, STRINGS, "prev_collect_ids", ...FACETS, "funnel_stages"),
    ...rows(false, "string or null", "perception_type"),
    ...rows(false, "array of competitor types enum, or null", "competitor_types"),
  ],
  "4.7": [
    ...rows(true, "string", "project_id", "client_id"),
    ...rows(false, "array of Sources enum", "sources"),
    ...rows(false, "array of string", "brands"),
    ...rows(false, "string or null", "collect_id"),
    ...rows(false, STRINGS, "collect_ids", "prev_collect_ids", "thematics", "keyword_type", ...FACETS),
    ...rows(false, "array of ToFu, MoFu, BoFu, or null", "funnel_stages"),
    ...rows(false, "enum: neutral, or null", "perception_type"),
    ...rows(false, "array of competitor types enum, or null", "competitor_types"),
    ...rows(false, "integer or null", "page_number", "rows_per_page"),
    ...rows(false, "string or null", "search_query"),
    ...rows(
      false,
      "enum: brand, visibility_score, nb_mentions, nb_distinct_keywords, average_position, presence_rate; or null",
      "sort_column",
    ),
    ...rows(false, "enum: asc, desc; or null", "sort_direction"),
  ],
};
