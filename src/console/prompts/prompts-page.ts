import type { z } from "zod";
import type { Source } from "../../../core/sources/sources.ts";
import { CHANNEL_PREFIXES } from "../../../tools/metrics/keyword-row.ts";
import type { listKeywordsMetrics } from "../../../tools/metrics/list-keywords-metrics.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { formatDay } from "../../http/pages/format-day.ts";
import { renderMetric, formatMean, renderName } from "../shared/format-metrics.ts";
import {
  analysisChoices,
  filterForm,
  filterChoices,
  noMatchesNotice,
  type Filters,
  type MetricsView,
} from "../shared/filters.ts";
import { parseTableSort, sortableHeaders, type SortOptions } from "../shared/table-sort.ts";
import { answersAddress, promptsAddress, updateQuery } from "../shared/page-addresses.ts";
import { renderNumberedPager, tablePanel } from "../shared/table-panel.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

type PromptList = z.output<typeof listKeywordsMetrics.output>;
type ListedPrompt = PromptList["data"][number];

export interface PromptsView extends MetricsView {
  prompts: PromptList;
  /** Zero-based page number. */
  page: number;
}

export const PROMPTS_PER_PAGE = 50;
/** Max page number, above the page count of any analysis. */
const MAX_PAGES = 1_000_000;

const BASE_SORTS: SortOptions = {
  prompt: "asc",
  type: "asc",
  topic: "asc",
  persona: "asc",
  presence: "desc",
  score: "desc",
};

function hasRank(source: string): source is keyof typeof CHANNEL_PREFIXES {
  return source in CHANNEL_PREFIXES;
}

export function renderPromptsPage(view: PromptsView): Html {
  const { prompts, query, ids, page } = view;
  const path = promptsAddress(ids);
  const { data: rows, total_count: totalRows = rows.length } = prompts;
  return html`<h1>Prompts</h1>
    ${renderFilters(view)}
    ${tablePanel({
      id: "listed",
      title: formatCount(totalRows, "prompt"),
      hint: "Your average rank in the answers that name you (1 = first), and the number of answers. Previous run in brackets.",
      csv: { href: `${path}/prompts.csv${updateQuery(query, { page: undefined })}`, rowCount: totalRows },
      table: rows.length === 0 ? undefined : renderPromptTable(rows, view),
      empty: noMatchesNotice("No prompt matches these filters.", path, view),
      pager: renderNumberedPager({
        page,
        pageSize: PROMPTS_PER_PAGE,
        totalRows,
        pageUrl: (at) => `${path}${updateQuery(query, { page: at === 0 ? undefined : String(at) })}`,
      }),
      note: renderBasisNote(view),
    })}`;
}

/** Zero-based page number in the URL. */
export function parsePageNumber(query: URLSearchParams): number {
  return Math.max(0, Math.min(Math.floor(Number(query.get("page")) || 0), MAX_PAGES));
}

export function parsePromptsOrder(query: URLSearchParams, filters: Filters) {
  const order = parseTableSort(query, createSortOptions(filters));
  return order && { sort_column: order.sort, sort_direction: order.direction };
}

function createSortOptions({ sources }: Filters): SortOptions {
  return { ...BASE_SORTS, ...Object.fromEntries(sources.filter(hasRank).map((source) => [source, "asc" as const])) };
}

function renderFilters(view: PromptsView): Html {
  const { ids, query, analysis, filters } = view;
  return filterForm(promptsAddress(ids), query, [...analysisChoices(view), ...filterChoices(filters)], {
    defaults: { analysis: analysis.id },
  });
}

function renderPromptTable(rows: readonly ListedPrompt[], view: PromptsView): Html {
  const { filters, query, ids } = view;
  const chosen = query.get("source");
  const sources = filters.source_names.filter(({ source }) => hasRank(source) && (!chosen || source === chosen));
  const head = sortableHeaders({ path: promptsAddress(ids), query, id: "listed", sorts: createSortOptions(filters) });
  return scrollTable({
    label: "Prompts with ranks by source",
    className: "sticky heat prompts",
    columns: [
      head("prompt", "Prompt", "text"),
      head("type", "Type", "text"),
      head("topic", "Topic", "text"),
      ...(filters.personas.length > 0 ? [head("persona", "Persona", "text")] : []),
      head("presence", "Present in"),
      head("score", "Visibility score"),
      ...sources.map(({ source, name }) => head(source, name)),
    ],
    rows: rows.map((row) => renderPromptRow(row, sources, view)),
  });
}

function renderPromptRow(
  row: ListedPrompt,
  sources: Filters["source_names"],
  { ids, analysis, query, filters }: PromptsView,
) {
  const selection = { analysis: analysis.id, collect: query.get("collect") ?? undefined, keyword: row.keyword_id };
  return html`<tr>
    <th scope="row">
      <a href="${answersAddress(ids)}${updateQuery(new URLSearchParams(), selection)}"
        >${renderName(row.keyword_text ?? "")}</a
      >
    </th>
    <td>${row.type}</td>
    <td>${renderOptionalName(row.topic)}</td>
    ${filters.personas.length > 0 && html`<td>${renderOptionalName(row.persona)}</td>`}
    <td class="number">
      ${renderMetric(row.occurrences, formatInteger)} of ${renderMetric(row.answers, formatInteger)}
      ${
        (row.previous_answers ?? 0) > 0 &&
        html`<small
          >${renderMetric(row.previous_occurrences, formatInteger)} of
          ${renderMetric(row.previous_answers, formatInteger)}</small
        >`
      }
    </td>
    <td class="number">${renderMetric(row.score, (score) => score.toFixed(1))}</td>
    ${sources.map(({ source }) => renderRankCell(row, source))}
  </tr>`;
}

function renderOptionalName(name: string | undefined): Html | undefined {
  return name === undefined ? undefined : renderName(name);
}

function renderRankCell(row: ListedPrompt, source: Source): Html {
  if (!hasRank(source)) return html`<td></td>`;
  const prefix = CHANNEL_PREFIXES[source];
  const { [`${prefix}_rank` as const]: currentRank, [`${prefix}_previous_rank` as const]: previousRank } = row;
  const { [`${prefix}_answers` as const]: runs, [`${prefix}_previous_answers` as const]: runsBefore } = row;
  return html`<td class="number">
    ${renderMetric(currentRank, formatMean)}
    ${previousRank !== undefined && html`<span class="soft">(${renderMetric(previousRank, formatMean)})</span>`}
    ${
      (runs ?? runsBefore) !== undefined &&
      html`<small>
        ${renderMetric(runs ?? 0, (value) => formatCount(value, "answer"))}
        ${runsBefore !== undefined && html`(${renderMetric(runsBefore, formatInteger)})`}
      </small>`
    }
  </td>`;
}

function renderBasisNote({ prompts: { basis } }: PromptsView): Html {
  const collects = basis.collects.map(({ number, collected_to: to }) => `run ${number} of ${formatDay(to)}`);
  const before = basis.previous_collects.map(({ number }) => `run ${number}`);
  const parts = [
    `Based on ${formatCount(basis.answers, "answer")}`,
    collects.join(", "),
    before.length === 0 ? "no earlier run" : `before: ${before.join(", ")}`,
    "counts and score cover AI answers unless you choose a source",
    "one prompt has too few answers to judge a change",
  ];
  return html`<p class="hint">${parts.join(" · ")}</p>`;
}

export const PROMPT_COLUMNS: readonly CsvColumn<ListedPrompt>[] = [
  "keyword_id",
  "keyword_text",
  "type",
  "thematic_name",
  "topic",
  "persona",
  "funnel_stage",
  "score",
  "answers",
  "occurrences",
  "previous_answers",
  "previous_occurrences",
  ...Object.values(CHANNEL_PREFIXES).flatMap(
    (prefix) =>
      [`${prefix}_rank`, `${prefix}_answers`, `${prefix}_previous_rank`, `${prefix}_previous_answers`] as const,
  ),
];
