import { exportedAnswers } from "../../../db/exports/exported-rows.ts";
import { boolean, exportTable, integer, json, number, text, time, type RowOf } from "../export-table.ts";
import { ANSWER_COLUMNS, COLLECT_COLUMNS, PLACE_COLUMNS, QUESTION_COLUMNS } from "../shared-columns.ts";

export const ANSWERS = exportTable<RowOf<typeof exportedAnswers>>({
  what: "answers",
  doc: "Each answer, whole, with its question and what was read of it as a whole.",
  filters: ["analysis_ids", "collect_ids", "sources"],
  columns: [
    ...PLACE_COLUMNS,
    ...COLLECT_COLUMNS,
    ...ANSWER_COLUMNS,
    integer("run", (row) => row.run, "1 for the first time that the collect asked this."),
    ...QUESTION_COLUMNS,
    text("prompt", (row) => row.prompt, "What was sent."),
    text("text", (row) => row.text, "The answer; empty of a page of results."),
    json("results", (row) => row.results, "Results that a page showed, in their order."),
    text("provider", (row) => row.provider, "Who was asked."),
    text("model", (row) => row.model, "As the provider names it."),
    text("locale", (row) => row.locale, "Language and country that it was asked in, BCP 47."),
    time("collected_at", (row) => row.collectedAt, "When it came."),
    integer("cost_credits", (row) => row.costCredits, "What it cost.", "credits"),
    number("cost_usd", (row) => row.costUsd, "What the provider charged; null where not known.", "US dollars"),
    boolean("shown", (row) => row.isShown, "false: the source showed nothing, so that no figure counts it."),
    boolean("refusal", (row) => row.isRefusal, "true: the source refused to answer."),
    boolean("informative", (row) => row.isInformative, "true: it names a brand of the catalog or links to one."),
    integer("reading_version", (row) => row.readingVersion, "The rules that it was read with."),
    text(
      "awareness",
      (row) => row.awareness,
      "Of an aided prompt: whether the answer knows the name that it was asked for.",
    ),
    boolean(
      "opinions_read",
      (row) => row.perception !== null,
      "true: it was read for what it says of brands (stances).",
    ),
    text("language", (row) => row.perception?.language ?? null, "Language of the answer; null where not known."),
    text(
      "unjudged",
      (row) => row.perception?.unjudged ?? null,
      "Why pros and cons were not judged by words; null where they were.",
    ),
  ],
  rows: exportedAnswers,
});
