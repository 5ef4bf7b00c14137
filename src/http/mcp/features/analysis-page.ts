import type { z } from "zod";
import type { getAnalysis } from "../../../../tools/analyses/get-analysis.ts";
import { listAnswers } from "../../../../tools/answers/list-answers.ts";
import { listCollects } from "../../../../tools/collects/list-collects.ts";
import { listTopBrands } from "../../../../tools/metrics/list-top-brands.ts";
import { describeSchedule } from "../../../../core/analyses/schedule.ts";
import type { CallEndpoint } from "./call-endpoint.ts";
import { OUTSIDE_NOTE, plain, table } from "./markdown.ts";

const MAX_BRANDS = 10;
const MAX_COLLECTS = 5;
const MAX_EXCERPTS = 5;

export interface AnalysisIds {
  organization_id: string;
  workspace_id: string;
  analysis_id: string;
}

/**
 * Renders an analysis as Markdown: setup, latest collects, most visible brands and answer excerpts.
 * All parts are read through endpoints, so roles apply; names and answers are escaped.
 */
export async function renderAnalysisPage(
  analysis: z.output<typeof getAnalysis.output>,
  ids: AnalysisIds,
  call: CallEndpoint,
) {
  const [collects, brands, answers] = await Promise.all([
    call(listCollects, { ...ids, limit: MAX_COLLECTS }),
    call(listTopBrands, {
      client_id: ids.organization_id,
      project_id: ids.analysis_id,
      rows_per_page: MAX_BRANDS,
      statistics: true,
    }),
    call(listAnswers, { ...ids, informative: true, limit: MAX_EXCERPTS }),
  ]);
  const { persona_ids: _personas, ...setup }: Record<string, unknown> = analysis.setup;
  return [
    `# ${plain(analysis.name)}`,
    OUTSIDE_NOTE,
    table(
      ["", ""],
      [
        ["status", analysis.status_reason === null ? analysis.status : `${analysis.status}: ${analysis.status_reason}`],
        ...Object.entries(setup).map(([field, value]) => [field.replaceAll("_", " "), formatValue(value)]),
        ["prompts", analysis.keyword_count],
        ["schedule", describeSchedule(analysis.schedule)],
        ["next run", analysis.next_collect_at],
      ],
    ),
    "## Latest runs",
    table(
      ["run", "status", "answered", "planned", "collected by", "finished"],
      collects.data.map((one) => [
        one.number,
        one.status,
        one.succeeded,
        one.planned,
        one.collection_methods.join(", "),
        one.finished_at,
      ]),
    ),
    "## Most visible brands",
    `${plain(brands.basis.legend)}; ${brands.total_count} brands in total.`,
    table(
      ["brand", "your brand", "visibility_score", "average_rank", "answers", "presence_rate", "before", "change"],
      brands.data.map((brand) => [
        brand.brand,
        brand.is_my_brand === true ? "yes" : "",
        brand.visibility_score,
        brand.average_rank,
        brand.total,
        brand.presence_rate,
        brand.change?.before,
        brand.change && `${brand.change.verdict} against ${brand.change.baseline}`,
      ]),
    ),
    "## Excerpts of answers",
    ...answers.data.map(
      (one) =>
        `${plain(one.prompt)} (${one.source}, run ${one.collect_number}, ${one.collection_method})\n\n> "${plain(one.excerpt)}"`,
    ),
  ].join("\n\n");
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.map(formatValue).join(", ") : String(value);
}
