import { SHARE_OF_VOICE } from "./share-of-voice.ts";
/** A metric as explained to users. */
export interface Definition {
  name: string;
  meaning: string;
  formula: string | null;
  range: string | null;
}

/** Metrics with meaning, formula and range (docs/measurement.md), in display order. */
export const DEFINITIONS: readonly Definition[] = [
  define("answers, total", "Answers, or pages of results, that a selection counts. Every rate divides by it.", {
    formula: "completed answers that were shown; refusals and answers that name no brand are counted too",
  }),
  define("informative", "Answers among them that name a tracked brand or link to a known site."),
  define("not_shown", "Times that a source showed nothing, such as no AI overview. Not an answer, counted apart."),
  define(
    "occurrences",
    "Answers in which the brand appears: in assistants and overviews by name, in result pages by domain.",
  ),
  define("presence_rate", "How often a brand appears. It alone depends on no other brand.", {
    formula: "occurrences / total",
    range: "0 to 1",
  }),
  define(
    "average_rank",
    "Mean place where the brand appears; 1 is best. By item of the answer's list, else by first mention among tracked brands.",
    {
      formula: "Σ rank / occurrences; null where it never appears",
      range: "from 1",
    },
  ),
  define("average_brand_rank", "The same counting different brands: two items of one rival cost one place.", {
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
  define("share_of_voice", "The brand's part of all weights of tracked brands. Adding or archiving a rival moves it.", {
    formula: SHARE_OF_VOICE.formula,
    range: "0 to 1",
  }),
  define(
    "citations, citation_rate",
    "How often answers cite a page of the brand. Not a mention: an answer can cite a site and name no brand.",
    { formula: "answers that cite one / total", range: "0 to 1" },
  ),
  define("retrieved", "Pages that an assistant read for an answer and did not cite."),
  define(
    "ci_low, ci_high",
    "Holds the figure of prompts like these, in a collect like this one, in 95 of 100 collects. Do not compare two intervals by overlap: that is what change is for. More prompts narrow it, more runs hardly do.",
    {
      formula:
        "Wilson's score interval with effective n and t of prompts − 1 degrees; the prompt is the cluster; null below 5 prompts",
    },
  ),
  define("grade", "What a figure is good for.", {
    formula:
      "decision: half-width ≤ 5 points and half the figure, 20 prompts; directional: ≤ 10 points and the figure, 12 prompts; else exploratory",
  }),
  define(
    "change",
    "What changed against the collect before, or in a schedule the mean of up to four before, over the keyword and source pairs that both sides completed with the same method and model.",
    {
      formula:
        "paired by prompt; Student's t gives p, interval and verdict alike; rivals adjusted by Benjamini and Hochberg",
    },
  ),
  define("verdict", "What may be said of a change.", {
    formula:
      "moved: p ≤ 0.001, or p ≤ 0.05 repeated by the next collect; first_sign: p ≤ 0.05; moved_with_field: the rivals moved too; within_noise: else; insufficient_data: fewer than 6 prompts differ; model_changed, method_changed, catalog_changed, basket_changed: the two sides cannot be compared. The last five have no figures",
  }),
  define(
    "previous",
    "The latest collect of the same kind that ended before this one began. Its plain figures stand beside; what changed is change.",
  ),
  define(
    "unaided",
    "Brand analyses: how often a brand comes to mind. Presence over answers to prompts that name no brand.",
    {
      formula: "occurrences / answers",
      range: "0 to 1",
    },
  ),
  define(
    "aided",
    "Brand analyses: how often a brand is known when it is asked for by name, beside the same for invented names.",
    {
      formula: "recognised / asked; difference = aided less that of look-alikes, paired by template",
      range: "0 to 1",
    },
  ),
  define("stances", "Brand analyses: what an answer makes of a brand where it names it best.", {
    formula:
      "answers of each stance / answers that name the brand: winner, recommended, caveated, mentioned; discouraged where one is and none recommends it",
    range: "0 to 1",
  }),
  define(
    "pro_rate, con_rate",
    "Brand analyses: how often answers that name a brand hold something for it, or against it, unasked.",
    { formula: "answers with one / answers whose clauses were judged, which are those in English", range: "0 to 1" },
  ),
  define(
    "sentiment",
    "Brand perception: the general sentiment of models towards a brand, from the pros and cons that they name unasked.",
    {
      formula:
        "(answers with more pros - answers with more cons) / answers with either; null below 10 answers or 5 prompts",
      range: "-1 to 1",
    },
  ),
  define(
    "contradicted_rate",
    "Brand analyses: how often answers that say something of a declared fact get it wrong. Claims are read for precision: not_mentioned is an upper bound.",
    {
      formula: "contradicted / (agreed + contradicted), over answers that name the brand; null below 10 or 5 prompts",
      range: "0 to 1",
    },
  ),
  define(
    "score of an attribute",
    "Brand analyses: what answers say of a brand's price, quality or another attribute of the setup. An answer counts once, with the mean of its clauses.",
    {
      formula:
        "mean over answers that speak of it; null below 10 clauses. In languages other than English clauses are not judged: reason says so",
      range: "-5 to 5",
    },
  ),
  define(
    "win_rate",
    "Brand analyses: how often answers that prefer one of two brands prefer yours. Of prompts that name both, or neither.",
    {
      formula:
        "(wins + both / 2) / (wins + losses + both); stance: share of answers with both in which yours stands higher, ties half",
      range: "0 to 1",
    },
  ),
  define("kind", "collected or simulated. Simulated answers are invented, and never counted with others."),
];

function define(name: string, meaning: string, more: { formula?: string; range?: string } = {}): Definition {
  return { name, meaning, formula: more.formula ?? null, range: more.range ?? null };
}
