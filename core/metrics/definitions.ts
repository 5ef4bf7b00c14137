import { SHARE_OF_VOICE } from "./share-of-voice.ts";
export interface MetricDefinition {
  name: string;
  meaning: string;
  formula: string | null;
  range: string | null;
}

/** In display order; docs/measurement.md has the definitions. */
export const METRIC_DEFINITIONS: readonly MetricDefinition[] = [
  define("answers, total", "Answers or search result pages counted in a selection: the denominator of every rate.", {
    formula:
      "completed answers, including answers without a brand and answers that decline to answer; excluding not_shown",
  }),
  define("informative", "Counted answers that name a tracked brand or link to a known site."),
  define("not_shown", "Times a source showed no answer, such as no AI overview. Counted separately, not as an answer."),
  define("occurrences", "Answers in which the brand appears: by name in AI answers, by domain in search results."),
  define("presence_rate", "Share of answers in which a brand appears. Independent of the other tracked brands.", {
    formula: "occurrences / total",
    range: "0 to 1",
  }),
  define(
    "average_rank",
    "Average rank in the answers that mention the brand; 1 is best. Rank is the item of the answer's list, else the order of first mentions of tracked brands.",
    {
      formula: "Σ rank / occurrences; null where it never appears",
      range: "from 1",
    },
  ),
  define("average_brand_rank", "Average rank by distinct brands: two list items of one rival count as one.", {
    range: "from 1",
  }),
  define("top_3_rate", "Share of answers in which the brand has rank 1 to 3.", {
    formula: "answers with rank ≤ 3 / total",
    range: "0 to 1",
  }),
  define("visibility_score", "Presence weighted by rank.", {
    formula: "100 × Σ 1 / log2(1 + rank) / total, 0 where absent",
    range: "0 to 100",
  }),
  define(
    "share_of_voice",
    "Share of the brand in the weight of all tracked brands. Adding or archiving a rival changes it.",
    {
      formula: SHARE_OF_VOICE.formula,
      range: "0 to 1",
    },
  ),
  define(
    "citations, citation_rate",
    "Answers that cite a page of the brand. Independent of mentions: an answer can cite a site without naming a brand.",
    { formula: "answers that cite a page of the brand / total", range: "0 to 1" },
  ),
  define("retrieved", "Pages that an assistant read for an answer but did not cite."),
  define(
    "ci_low, ci_high",
    "95 % confidence interval of the metric for prompts like these in a run (`collect`) like this. To compare two values use change, not the overlap of intervals. More prompts narrow it; more repeats hardly do.",
    {
      formula:
        "Wilson's score interval with effective n and t of prompts − 1 degrees; the prompt is the cluster; null below 5 prompts",
    },
  ),
  define(
    "seen_once, seen_of_3, seen_of_5",
    "Share of people who see the brand at least once when they ask a prompt like these 1, 3 or 5 times.",
    {
      formula: "mean over prompts of 1 − E[(1 − p)^k], with the beta posterior of p by country and persona",
      range: "0 to 1",
    },
  ),
  define("grade", "Reliability of a value.", {
    formula:
      "decision: half-width ≤ 5 points and ≤ half the value, ≥ 20 prompts; directional: half-width ≤ 10 points and ≤ the value, ≥ 12 prompts; else exploratory",
  }),
  define(
    "change",
    "Change since the previous run (`collect`) or, in a schedule, since the mean of up to four previous runs, over the pairs of prompt (`keyword`) and source that both sides completed with the same method and model.",
    {
      formula:
        "paired by prompt; p, interval and verdict from Student's t; p adjusted by Benjamini and Hochberg for the number of rows, except of your brand as a whole, so that a longer table judges more strictly",
    },
  ),
  define("verdict", "Significance of a change.", {
    formula:
      "moved (significant): p ≤ 0.001, or p ≤ 0.05 repeated by the next run; first_sign (early signal): p ≤ 0.05, and also any smaller p if you chose the runs to compare with; moved_with_field (significant): the rivals moved too; within_noise (not significant): otherwise; insufficient_data (too little data): fewer than 6 prompts differ; model_changed, method_changed, catalog_changed, basket_changed: the two sides are not comparable. The last five have no values",
  }),
  define(
    "previous",
    "Earlier value: `before` of the row's change, over its baseline; in rows without a change, such as prompts, the unadjusted value of the previous run.",
  ),
  define(
    "unaided",
    "Brand analyses: share of answers that name a brand without a hint: presence over answers to prompts that name no brand.",
    {
      formula: "occurrences / answers",
      range: "0 to 1",
    },
  ),
  define(
    "aided",
    "Brand analyses: share of answers that know a brand named in the prompt, compared with invented names (look-alikes).",
    {
      formula: "recognised / asked; difference = aided minus the rate of look-alikes, paired by template",
      range: "0 to 1",
    },
  ),
  define("stances", "Brand analyses: recommendation of a brand by an answer, from the best mention.", {
    formula:
      "answers of each stance / answers that name the brand: winner, recommended, caveated (with reservations), mentioned (only); discouraged if one mention advises against the brand and none recommends it",
    range: "0 to 1",
  }),
  define("pro_rate, con_rate", "Brand analyses: share of answers that mention a pro or a con of a brand unprompted.", {
    formula: "answers with a pro or con / scored answers (English)",
    range: "0 to 1",
  }),
  define(
    "sentiment",
    "Brand perception: general sentiment of answers towards a brand, from pros and cons mentioned unprompted.",
    {
      formula:
        "(answers with more pros - answers with more cons) / answers with either; null below 10 answers or 5 prompts",
      range: "-1 to 1",
    },
  ),
  define(
    "contradicted_rate",
    "Brand analyses: share of answers about a declared fact that get it wrong. Extraction favours precision, so not_mentioned is an upper bound.",
    {
      formula: "contradicted / (agreed + contradicted), over answers that name the brand; null below 10 or 5 prompts",
      range: "0 to 1",
    },
  ),
  define(
    "score of an attribute",
    "Brand analyses: rating of a brand's price, quality or another attribute of the setup. Each answer counts once, with the average of its clauses.",
    {
      formula:
        "average over answers about the attribute; null below 10 clauses. Only English clauses are scored; otherwise reason explains the null",
      range: "-5 to 5",
    },
  ),
  define(
    "win_rate",
    "Brand analyses: share of answers with an outright pick between two brands, or a draw, that prefer yours, over prompts that name both or neither. Preferences in one aspect count only in rows by aspect.",
    {
      formula:
        "(wins + draws / 2) / (wins + losses + draws), draws = both; stance: share of answers with both brands in which yours is rated higher, ties count half",
      range: "0 to 1",
    },
  ),
  define("kind", "collected or simulated. Simulated answers are invented and never mixed with collected ones."),
];

function define(name: string, meaning: string, more: { formula?: string; range?: string } = {}): MetricDefinition {
  return { name, meaning, formula: more.formula ?? null, range: more.range ?? null };
}
