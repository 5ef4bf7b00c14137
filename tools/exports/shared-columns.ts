import { locationOf } from "../../core/shared/analysis-location.ts";
import { channelOf } from "../../core/actions/finding.ts";
import { SOURCE_NAMES, WEBSITE, type Source } from "../../core/sources/sources.ts";
import type { ExportedCollect } from "../../db/exports/exported-collects.ts";
import type { exportedAnswers, exportedJobs } from "../../db/exports/exported-rows.ts";
import { boolean, integer, text, time, type ColumnOf, type RowOf } from "./export-table.ts";

export const PLACE_COLUMNS: readonly ColumnOf<
  Pick<ExportedCollect, "analysisId" | "analysis" | "collectId" | "collectNumber">
>[] = [
  text("analysis_id", (row) => row.analysisId, "Analysis."),
  text("analysis", (row) => row.analysis, "Its name."),
  text("collect_id", (row) => row.collectId, "Collect."),
  integer("collect", (row) => row.collectNumber, "Its number in the analysis, 1 for the first."),
];

export const COLLECT_COLUMNS: readonly ColumnOf<ExportedCollect>[] = [
  text("analysis_type", (row) => row.analysisType, "brand_analysis, search_analysis or geo_audit."),
  text("schedule", (row) => row.schedule.every, "How often the analysis collects: once, daily, weekly or monthly."),
  text("own_brand_id", (row) => row.ownBrandId, "The brand that the analysis measures."),
  text("collect_status", (row) => row.collectStatus, "queued, running, completed, partial or failed."),
  boolean("is_imported", (row) => row.isImported, "true: the answers of the collect were collected elsewhere."),
  time("collected_from", (row) => row.collectedFrom, "When the first answer of the collect was collected."),
  time("collected_to", (row) => row.collectedTo, "When the last one was."),
  text(
    "summed_version",
    (row) => row.summedVersion,
    "Rules and brand catalog that the figures of the collect were read with; figures of others are not compared.",
  ),
];

export const ANSWER_COLUMNS: readonly ColumnOf<{ answerId: string; source: Source; method: string }>[] = [
  text("answer_id", (row) => row.answerId, "Answer."),
  ...sourceColumns(),
  text("method", (row) => row.method, "How it was collected; simulated: invented, no provider was asked."),
];

export function sourceColumns(): ColumnOf<{ source: Source | typeof WEBSITE }>[] {
  return [
    text("source", ({ source }) => source, "Source, as the interface names it."),
    text("source_name", ({ source }) => (source === WEBSITE ? null : SOURCE_NAMES[source]), "What people call it."),
    text(
      "channel",
      ({ source }) => (source === WEBSITE ? null : channelOf(source)),
      "Kind of source; null of a website.",
    ),
  ];
}

export const QUESTION_COLUMNS: readonly ColumnOf<RowOf<typeof exportedAnswers> | RowOf<typeof exportedJobs>>[] = [
  text("question_id", (row) => row.questionId, "Keyword, or prompt in one country and as one persona."),
  integer("position", (row) => row.position, "Its place in the setup, 0 for the first."),
  text("keyword", (row) => row.question, "Its text."),
  text("keyword_type", (row) => row.questionType, "Generic, Brand or Competitor keyword."),
  text("prompt_kind", (row) => row.promptKind, "What a prompt of a brand analysis is for; null of a keyword."),
  text("country", (row) => locationOf(row.setup, row.country).country, "Where it is asked, ISO 3166-1 alpha-2."),
  text("asked_brand_id", (row) => row.askedBrandId, "The brand that the prompt asks about."),
  text("other_brand_id", (row) => row.otherBrandId, "The rival that it compares the brand with."),
  text("look_alike", (row) => row.lookAlike, "The invented name that it asks about."),
  text("attribute", (row) => row.attribute, "The attribute that it asks about."),
  text("tag", (row) => row.tag, "Tag of the prompt."),
  boolean("asks_pros_cons", (row) => row.asksProsCons, "true: it asks for pros and cons."),
  text("thematic_id", (row) => row.thematicId, "Thematic."),
  text("thematic", (row) => row.thematic, "Its name."),
  text("topic_id", (row) => row.topicId, "Topic."),
  text("topic", (row) => row.topic, "Its name."),
  text("persona_id", (row) => row.personaId, "Persona that asks."),
  text("persona", (row) => row.persona, "Its name."),
  text("funnel_stage", (row) => row.funnelStage, "ToFu, MoFu or BoFu."),
];
