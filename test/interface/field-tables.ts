import { COMPETITOR_TYPES } from "../../core/sources/sources.ts";

// The tables of fields of interface.md section 2, in the words of the specification.

/** A field. `nullable` and `required` are undefined if unspecified. */
export interface FieldRow {
  name: string;
  type: string;
  nullable?: boolean;
  required?: boolean;
}

const says = (word: string | undefined) => (word === undefined || word === "" ? undefined : word === "yes");

function table(text: string): FieldRow[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", type = "", nullable, required] = line.split("|").map((cell) => cell.trim());
      const stated = { nullable: says(nullable), required: says(required) };
      return { name, type, ...definedOf(stated) };
    });
}

function definedOf({ nullable, required }: { nullable: boolean | undefined; required: boolean | undefined }) {
  return { ...(nullable === undefined ? {} : { nullable }), ...(required === undefined ? {} : { required }) };
}

const BRIEF = table(`
  id | string, uuid | no | yes
  task_id | string, uuid | no | yes
  title | string | no | yes
  body | string | no | yes
  is_user_edited | boolean | no | yes
  status | string enum: not_started, in_progress, implemented | no | yes
  partner_brief_id | string | yes | yes
  partner_status | string | yes | yes
  partner_url | string, uri | yes | yes
  partner_due_date | string, date-time | yes | yes
  partner_synced_at | string, date-time | yes | yes
  created_at | string, date-time | yes | no
  updated_at | string, date-time | yes | no
`);

const SUBMISSION_ERROR = table(`
  brief | Brief (2.1) | | yes
  code | string enum (section 7) | | yes
  message | string | | yes
`);

const TAG = table(`
  id | string, uuid
  workspace_id | string, uuid
  organization_id | string, uuid
  name | string
  order | integer
  children | array of tag objects
  analyses_count | integer
  assets_count | integer
  created_at | string, date-time
  updated_at | string, date-time
  parent | string, uuid
  color | string
`);

const SSO_RESULT = table(`
  token | string (a JWT)
  initiated_by | string
  relay_path | string
`);

/** Channel prefixes of a keyword metrics row, and the channels that have a flag. */
const PREFIXES = [
  "search_a_seo",
  "search_a_aio",
  "search_b_seo",
  "search_b_aio",
  "search_b_ai_mode",
  "assistant_a",
  "assistant_b",
  "assistant_c",
  "assistant_d",
];
const FLAGGED = [
  "search_b_seo",
  "search_b_aio",
  "search_a_seo",
  "search_a_aio",
  "assistant_d",
  "assistant_b",
  "assistant_a",
];

const optional = (names: string[], type: string): FieldRow[] => names.map((name) => ({ name, type, required: false }));

/** "All fields are optional in the shape": unknown values are omitted. */
const KEYWORD_METRICS = [
  ...optional(["keyword_id", "keyword_text", "thematic_name", "topic", "persona", "funnel_stage"], "string"),
  ...optional(["strength", "weakness", "related_product", "sub_brand"], "string"),
  ...optional(["intent"], "array of string"),
  ...optional(["type"], "string"),
  ...optional(["search_volume"], "number"),
  ...optional(["trends", "search_interest_trends"], "array of number"),
  ...optional(["score"], "number"),
  ...optional(["related_queries"], "array of objects"),
  ...PREFIXES.flatMap((prefix) => [
    ...optional([`${prefix}_rank`, `${prefix}_previous_rank`], "number"),
    ...optional([`${prefix}_url`], "string"),
  ]),
  ...optional(
    FLAGGED.map((prefix) => `${prefix}_main_brand_ranked`),
    "boolean",
  ),
  ...["has_search_b_aio", "has_search_a_aio"].map((name) => ({ name, type: "boolean default false" })),
];

/** Fields of an entry of `related_queries`. */
const RELATED_QUERY = [
  ...optional(["query"], "string"),
  ...optional(["relevance", "search_volume"], "number"),
  ...optional(["trends"], "array of number"),
  ...optional(["intents"], "array of string"),
];

const TOP_BRAND = [
  ...table("brand | string"),
  ...[
    "nb_keywords",
    "total_mentions",
    "visibility_score",
    "average_rank",
    "presence_rate",
    "total",
    "occurrences",
    "nb_keywords_prev_collect",
    "total_mentions_prev_collect",
    "average_rank_prev_collect",
    "presence_rate_prev_collect",
    "total_prev_collect",
    "occurrences_prev_collect",
  ].map((name) => ({ name, type: "number" })),
  ...table("is_my_brand | boolean"),
  { name: "competitor_type", type: `string enum: ${COMPETITOR_TYPES.join(", ")}` },
];

/** Field tables by section; the second part of 2.5 is `related_queries`. */
export const FIELD_TABLES: Record<string, readonly FieldRow[]> = {
  "2.1": BRIEF,
  "2.2": SUBMISSION_ERROR,
  "2.3": TAG,
  "2.4": SSO_RESULT,
  "2.5": KEYWORD_METRICS,
  "2.5 related_queries": RELATED_QUERY,
  "2.6": TOP_BRAND,
};

export function fieldRow(section: string, name: string): FieldRow {
  const row = FIELD_TABLES[section]?.find((one) => one.name === name);
  if (!row) throw new Error(`${section} has no field ${name}`);
  return row;
}
