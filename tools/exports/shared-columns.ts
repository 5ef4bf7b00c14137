import { parseLocation } from "../../core/shared/analysis-location.ts";
import { getChannel } from "../../core/actions/finding.ts";
import { SOURCE_NAMES, WEBSITE, type Source } from "../../core/sources/sources.ts";
import type { ExportedCollect } from "../../db/exports/exported-collects.ts";
import type { exportedAnswers, exportedJobs } from "../../db/exports/exported-rows.ts";
import { boolean, integer, text, time, type ColumnOf, type RowOf } from "./export-table.ts";

export const PLACE_COLUMNS: readonly ColumnOf<
  Pick<ExportedCollect, "analysisId" | "analysis" | "collectId" | "collectNumber">
>[] = [
  text("analysis_id", (row) => row.analysisId, "Id of the analysis."),
  text("analysis", (row) => row.analysis, "Name of the analysis."),
  text("collect_id", (row) => row.collectId, "Id of the run."),
  integer("collect", (row) => row.collectNumber, "Number of the run in the analysis, 1 for the first run."),
];

export const COLLECT_EXPORT_COLUMNS: readonly ColumnOf<ExportedCollect>[] = [
  text("analysis_type", (row) => row.analysisType, "brand_analysis, search_analysis or geo_audit."),
  text("schedule", (row) => row.schedule.every, "Frequency of runs: once, daily, weekly or monthly."),
  text("own_brand_id", (row) => row.ownBrandId, "Id of the brand that the analysis measures."),
  text(
    "collect_status",
    (row) => row.collectStatus,
    "Status of the run: queued, running, completed, partial or failed.",
  ),
  boolean("is_imported", (row) => row.isImported, "true: the answers of the run were imported."),
  time("collected_from", (row) => row.collectedFrom, "Time of the first answer of the run."),
  time("collected_to", (row) => row.collectedTo, "Time of the last answer of the run."),
  text(
    "summed_version",
    (row) => row.summedVersion,
    "Version of the extraction rules and brand catalog behind the metrics of the run. Only metrics of the same version are compared.",
  ),
];

export const ANSWER_COLUMNS: readonly ColumnOf<{ answerId: string; source: Source; method: string }>[] = [
  text("answer_id", (row) => row.answerId, "Id of the answer."),
  ...buildSourceColumns(),
  text("method", (row) => row.method, "Collection method of the answer; simulated: invented without a provider."),
];

export function buildSourceColumns(): ColumnOf<{ source: Source | typeof WEBSITE }>[] {
  return [
    text("source", ({ source }) => source, "Source as named in the API, such as ASSISTANT_A."),
    text(
      "source_name",
      ({ source }) => (source === WEBSITE ? null : SOURCE_NAMES[source]),
      "Display name of the source, such as ChatGPT.",
    ),
    text(
      "channel",
      ({ source }) => (source === WEBSITE ? null : getChannel(source)),
      "Kind of source; null for a website.",
    ),
  ];
}

export const QUESTION_COLUMNS: readonly ColumnOf<RowOf<typeof exportedAnswers> | RowOf<typeof exportedJobs>>[] = [
  text(
    "question_id",
    (row) => row.questionId,
    "Id of the prompt; in brand analyses one id per prompt, country and persona.",
  ),
  integer("position", (row) => row.position, "Position of the prompt in the setup, 0 for the first."),
  text("keyword", (row) => row.question, "Text of the prompt in the setup."),
  text("keyword_type", (row) => row.questionType, "Generic, Brand or Competitor."),
  text("prompt_kind", (row) => row.promptKind, "Purpose of a prompt of a brand analysis; null in search analyses."),
  text("country", (row) => parseLocation(row.setup, row.country).country, "Country of the prompt, ISO 3166-1 alpha-2."),
  text("asked_brand_id", (row) => row.askedBrandId, "Id of the brand in the prompt."),
  text("other_brand_id", (row) => row.otherBrandId, "Id of the competitor in a comparison prompt."),
  text("look_alike", (row) => row.lookAlike, "Decoy name in the prompt: an invented brand."),
  text("attribute", (row) => row.attribute, "Attribute in the prompt."),
  text("tag", (row) => row.tag, "Tag of the prompt."),
  boolean("asks_pros_cons", (row) => row.asksProsCons, "true: the prompt asks for pros and cons."),
  text("thematic_id", (row) => row.thematicId, "Id of the thematic."),
  text("thematic", (row) => row.thematic, "Name of the thematic."),
  text("topic_id", (row) => row.topicId, "Id of the topic."),
  text("topic", (row) => row.topic, "Name of the topic."),
  text("persona_id", (row) => row.personaId, "Id of the persona of the prompt."),
  text("persona", (row) => row.persona, "Name of the persona."),
  text("funnel_stage", (row) => row.funnelStage, "ToFu, MoFu or BoFu."),
];
