import { exportedAnswers } from "../../../db/exports/exported-rows.ts";
import { boolean, exportTable, integer, json, number, text, time, type RowOf } from "../export-table.ts";
import { ANSWER_COLUMNS, COLLECT_EXPORT_COLUMNS, PLACE_COLUMNS, QUESTION_COLUMNS } from "../shared-columns.ts";

export const ANSWERS_TABLE = exportTable<RowOf<typeof exportedAnswers>>({
  what: "answers",
  doc: "One row per answer, with its full text, its prompt and the values extracted from it.",
  filters: ["analysis_ids", "collect_ids", "sources"],
  columns: [
    ...PLACE_COLUMNS,
    ...COLLECT_EXPORT_COLUMNS,
    ...ANSWER_COLUMNS,
    integer("run", (row) => row.run, "Repeat of the prompt within the run, 1 for the first."),
    ...QUESTION_COLUMNS,
    text("prompt", (row) => row.prompt, "Text that was sent to the source."),
    text("text", (row) => row.text, "Text of the answer; empty for a result page."),
    json("results", (row) => row.results, "Results on a result page, in their order."),
    text("provider", (row) => row.provider, "Provider that returned the answer."),
    text("model", (row) => row.model, "Model, as the provider names it."),
    text("locale", (row) => row.locale, "Language and country of the prompt, BCP 47."),
    time("collected_at", (row) => row.collectedAt, "Time when the answer arrived."),
    integer("cost_credits", (row) => row.costCredits, "Price of the answer.", "credits"),
    number("cost_usd", (row) => row.costUsd, "Amount that the provider charged; null if unknown.", "US dollars"),
    boolean("shown", (row) => row.isShown, "false: the source showed no answer. No metric counts the row."),
    boolean("refusal", (row) => row.isRefusal, "true: the source declined to answer."),
    boolean(
      "informative",
      (row) => row.isInformative,
      "true: the answer names a brand of the catalog or links to one.",
    ),
    integer("reading_version", (row) => row.readingVersion, "Version of the extraction rules applied to the answer."),
    text("awareness", (row) => row.awareness, "For aided prompts: whether the answer knows the name in the prompt."),
    boolean(
      "opinions_read",
      (row) => row.perception !== null,
      "true: opinions were extracted from the answer (stances).",
    ),
    text("language", (row) => row.perception?.language ?? null, "Language of the answer; null if unknown."),
    text(
      "unjudged",
      (row) => row.perception?.unjudged ?? null,
      "Reason why pros and cons were not scored; null if they were.",
    ),
  ],
  rows: exportedAnswers,
});
