import { CHANNEL_PREFIXES } from "../../tools/metrics/keyword-row.ts";

// Columns of each file in order, since readers may rely on positions.

const within = (name: string, parts: string) => parts.split(" ").map((part) => `${name}_${part}`);
const changeOf = (name: string) => within(name, "before after delta ci_low ci_high p verdict cells");
const intervalOf = (name: string) => within(name, "ci_low ci_high");
const words = (text: string) => text.split(" ");

const SITES = words("domain url competitor_type brand answers citations share ci_low ci_high grade");
const STANCES = words("winner recommended caveated mentioned discouraged");

const SENTIMENT = [
  ...words("judged judged_prompts unjudged with_pros pro_rate"),
  ...intervalOf("pro"),
  ...words("with_cons con_rate"),
  ...intervalOf("con"),
  ...words("more_pros more_cons with_either sentiment"),
  ...within("sentiment", "ci_low ci_high grade"),
  ...changeOf("con_rate_change"),
  ...changeOf("sentiment_change"),
];

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  "brands.csv": [
    ...words("brand is_my_brand answers prompts occurrences presence_rate ci_low ci_high grade average_rank"),
    ...words("rank_ci_low rank_ci_high top_3_rate visibility_score share_of_voice citations previous"),
    ...changeOf("change"),
  ],
  "prompts.csv": [
    ...words("keyword_id keyword_text type thematic_name topic persona funnel_stage score"),
    ...words("answers occurrences previous_answers previous_occurrences"),
    ...Object.values(CHANNEL_PREFIXES).flatMap((prefix) =>
      within(prefix, "rank answers previous_rank previous_answers"),
    ),
  ],
  "answers.csv": [
    ...words("id prompt source collect_number run collected_at shown informative unread_reason provider model locale"),
    ...words("collection_method cost_credits cost_usd length excerpt"),
  ],
  "sites.csv": SITES,
  "pages.csv": SITES,
  "searches.csv": words("query answers searches prompts share ci_low ci_high grade"),
  "stances.csv": [
    ...words("brand is_my_brand answers prompts"),
    ...STANCES.flatMap((stance) => [stance, `${stance}_share`]),
    ...SENTIMENT,
    ...changeOf("recommended_share_change"),
    ...changeOf("caveated_share_change"),
  ],
  "sentiment.csv": [...words("brand is_my_brand answers prompts"), ...SENTIMENT],
  "pros-and-cons.csv": words("brand polarity phrase head answers asked answer_id text"),
  "comparisons.csv": [
    ...words("brand rival wins losses both answers prompts win_rate ci_low ci_high grade"),
    ...words("stance_answers stance_rate first_answers first_rate second_answers second_rate"),
    ...changeOf("change"),
    ...words("no_preference brand_missing aspects_only no_pick"),
  ],
  "attributes.csv": [
    ...words(
      "attribute brand is_my_brand score reason ci_low ci_high grade score_of_others spans answers prompts named unjudged",
    ),
    ...changeOf("change"),
  ],
  "awareness.csv": [
    ...words("brand is_my_brand answers prompts occurrences unaided"),
    ...within("unaided", "ci_low ci_high grade"),
    ...words("asked asked_prompts recognised not_recognised confused aided"),
    ...within("aided", "ci_low ci_high grade"),
    ...words("look_alikes_asked look_alikes_recognised look_alikes"),
    ...changeOf("unaided_change"),
    ...changeOf("aided_change"),
    ...within("difference", "delta ci_low ci_high templates"),
  ],
};

export function expectedColumns(name: string): readonly string[] {
  return COLUMNS[name] ?? [];
}
