import type { z } from "zod";
import type { Source } from "../../../core/sources/sources.ts";
import { PREFIXES } from "../../../tools/metrics/keyword-row.ts";
import type { listKeywordsMetrics } from "../../../tools/metrics/list-keywords-metrics.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { dayShown } from "../../http/pages/days.ts";
import { figure, mean, nameShown } from "../shared/figures.ts";
import {
  analysisChoices,
  choiceForm,
  narrowingChoices,
  noneFits,
  type Filters,
  type FiguresView,
} from "../shared/filters.ts";
import { orderIn, sortHeads, type Sorts } from "../shared/order.ts";
import { answersAddress, promptsAddress, queryWith } from "../shared/places.ts";
import { numberedPager, tablePanel } from "../shared/table-panel.ts";
import { count, counted } from "../../../core/shared/counts.ts";

type Prompts = z.output<typeof listKeywordsMetrics.output>;
type Prompt = Prompts["data"][number];

export interface PromptsView extends FiguresView {
  prompts: Prompts;
  /** Zero-based. */
  page: number;
}

export const ROWS = 50;
/** Above the page count of any analysis. */
const MOST_PAGES = 1_000_000;

const SORTS: Sorts = { prompt: "asc", type: "asc", topic: "asc", persona: "asc", presence: "desc", score: "desc" };

function ranked(source: string): source is keyof typeof PREFIXES {
  return source in PREFIXES;
}

export function promptsPage(view: PromptsView): Html {
  const { prompts, query, place, page } = view;
  const path = promptsAddress(place);
  const { data: rows, total_count: all = rows.length } = prompts;
  return html`<h1>Prompts</h1>
    ${choices(view)}
    ${tablePanel({
      id: "listed",
      title: counted(all, "prompt"),
      hint: "Mean rank of your brand where it is present, 1 is best, and the runs that it was asked in; in brackets the same of the collect before.",
      csv: { href: `${path}/prompts.csv${queryWith(query, { page: undefined })}`, rows: all },
      table: rows.length === 0 ? undefined : table(rows, view),
      empty: noneFits("No prompt fits these filters.", path, view),
      pager: numberedPager({
        page,
        size: ROWS,
        all,
        to: (at) => `${path}${queryWith(query, { page: at === 0 ? undefined : String(at) })}`,
      }),
      note: restsOn(view),
    })}`;
}

/** Zero-based page number in the URL. */
export function pageNumber(query: URLSearchParams): number {
  return Math.max(0, Math.min(Math.floor(Number(query.get("page")) || 0), MOST_PAGES));
}

export function promptsOrder(query: URLSearchParams, filters: Filters) {
  const order = orderIn(query, sortsOf(filters));
  return order && { sort_column: order.sort, sort_direction: order.direction };
}

function sortsOf({ sources }: Filters): Sorts {
  return { ...SORTS, ...Object.fromEntries(sources.filter(ranked).map((source) => [source, "asc" as const])) };
}

function choices(view: PromptsView): Html {
  const { place, query, analysis, filters } = view;
  return choiceForm(promptsAddress(place), query, [...analysisChoices(view), ...narrowingChoices(filters)], {
    chosen: { analysis: analysis.id },
  });
}

function table(rows: readonly Prompt[], view: PromptsView): Html {
  const { filters, query, place } = view;
  const chosen = query.get("source");
  const sources = filters.source_names.filter(({ source }) => ranked(source) && (!chosen || source === chosen));
  const head = sortHeads({ path: promptsAddress(place), query, id: "listed", sorts: sortsOf(filters) });
  return scrollTable({
    label: "Prompts with ranks by source",
    className: "sticky heat prompts",
    columns: [
      head("prompt", "Prompt", "text"),
      head("type", "Type", "text"),
      head("topic", "Topic", "text"),
      ...(filters.personas.length > 0 ? [head("persona", "Persona", "text")] : []),
      head("presence", "Present in"),
      head("score", "Score, 0 to 100"),
      ...sources.map(({ source, name }) => head(source, name)),
    ],
    rows: rows.map((row) => promptRow(row, sources, view)),
  });
}

function promptRow(
  row: Prompt,
  sources: Filters["source_names"],
  { place, analysis, query, filters }: PromptsView,
): Html {
  const of = { analysis: analysis.id, collect: query.get("collect") ?? undefined, keyword: row.keyword_id };
  return html`<tr>
    <th scope="row">
      <a href="${answersAddress(place)}${queryWith(new URLSearchParams(), of)}">${nameShown(row.keyword_text ?? "")}</a>
    </th>
    <td>${row.type}</td>
    <td>${label(row.topic)}</td>
    ${filters.personas.length > 0 && html`<td>${label(row.persona)}</td>`}
    <td class="number">
      ${figure(row.occurrences, count)} of ${figure(row.answers, count)}
      ${
        (row.previous_answers ?? 0) > 0 &&
        html`<small>${figure(row.previous_occurrences, count)} of ${figure(row.previous_answers, count)}</small>`
      }
    </td>
    <td class="number">${figure(row.score, (score) => score.toFixed(1))}</td>
    ${sources.map(({ source }) => rankCell(row, source))}
  </tr>`;
}

function label(name: string | undefined): Html | undefined {
  return name === undefined ? undefined : nameShown(name);
}

function rankCell(row: Prompt, source: Source): Html {
  if (!ranked(source)) return html`<td></td>`;
  const prefix = PREFIXES[source];
  const { [`${prefix}_rank` as const]: now, [`${prefix}_previous_rank` as const]: before } = row;
  const { [`${prefix}_answers` as const]: runs, [`${prefix}_previous_answers` as const]: runsBefore } = row;
  return html`<td class="number">
    ${figure(now, mean)} ${before !== undefined && html`<span class="soft">(${figure(before, mean)})</span>`}
    ${
      (runs ?? runsBefore) !== undefined &&
      html`<small>
        ${figure(runs ?? 0, (value) => counted(value, "run"))}
        ${runsBefore !== undefined && html`(${figure(runsBefore, count)})`}
      </small>`
    }
  </td>`;
}

function restsOn({ prompts: { basis } }: PromptsView): Html {
  const collects = basis.collects.map(({ number, collected_to: to }) => `collect ${number} of ${dayShown(to)}`);
  const before = basis.previous_collects.map(({ number }) => `collect ${number}`);
  const parts = [
    `n = ${counted(basis.answers, "answer")}`,
    collects.join(", "),
    before.length === 0 ? "no collect before" : `before: ${before.join(", ")}`,
    "counts and score are of assistants and overviews unless a source is chosen",
    "a prompt alone has too few answers for a verdict",
  ];
  return html`<p class="hint">${parts.join(" · ")}</p>`;
}

/** Values as in the API response. */
export const PROMPT_COLUMNS: readonly CsvColumn<Prompt>[] = [
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
  ...Object.values(PREFIXES).flatMap(
    (prefix) =>
      [`${prefix}_rank`, `${prefix}_answers`, `${prefix}_previous_rank`, `${prefix}_previous_answers`] as const,
  ),
];
