import type { z } from "zod";
import type { Source } from "../../../../core/sources.ts";
import { counted } from "../../../../tools/quotes/presentation.ts";
import { PREFIXES } from "../../../../tools/search-metrics/keyword-metrics.ts";
import type { listKeywordsMetrics } from "../../../../tools/search-metrics/list-keywords-metrics.ts";
import { html, type Html } from "../html.ts";
import { scrollTable } from "../table.ts";
import { dayShown } from "./days.ts";
import { figure, mean, nameShown } from "./figures.ts";
import { analysisChoices, choiceForm, narrowingChoices, noneFits, type Filters, type FiguresView } from "./filters.ts";
import { answersAddress, promptsAddress, queryWith } from "./places.ts";

type Prompts = z.output<typeof listKeywordsMetrics.output>;
type Prompt = Prompts["data"][number];

export interface PromptsView extends FiguresView {
  prompts: Prompts;
}

/** Prompts of one page. */
const ROWS = 50;

/** What the table can be sorted by: its own figures, the best or the worst first. */
const SORTS = {
  best: "Best first",
  worst: "Worst first",
} as const;

/** Sources with a rank of their own in a row. */
function ranked(source: string): source is keyof typeof PREFIXES {
  return source in PREFIXES;
}

/** The prompts of an analysis: how the own brand ranks in each source, now and before. */
export function promptsPage(view: PromptsView): Html {
  const { prompts, query } = view;
  const rows = sorted(prompts.data, query.get("sort"));
  const page = Math.max(0, Math.min(Math.floor(Number(query.get("page")) || 0), Math.ceil(rows.length / ROWS) - 1));
  const shown = rows.slice(page * ROWS, (page + 1) * ROWS);
  return html`<h1>Prompts</h1>
    ${choices(view)}
    <section class="panel" aria-labelledby="listed">
      <div class="panel-head">
        <h2 id="listed">${counted(rows.length, "prompt")}</h2>
        <p class="hint">
          Mean rank of your brand where it is present, 1 is best; in brackets that of the collect before.
          <a href="${promptsAddress(view.place)}/prompts.csv${queryWith(query, { page: undefined })}">Download CSV</a>
        </p>
      </div>
      ${rows.length === 0 ? noneFits("No prompt fits these filters.", promptsAddress(view.place), view) : table(shown, view)}
      ${pager(view, page, rows.length)} ${restsOn(view)}
    </section>`;
}

function sorted(rows: readonly Prompt[], by: string | null): readonly Prompt[] {
  if (by !== "best" && by !== "worst") return rows;
  const way = by === "best" ? -1 : 1;
  return rows.toSorted((a, b) => way * ((a.score ?? 0) - (b.score ?? 0)));
}

function choices(view: PromptsView): Html {
  const { place, query, analysis, filters } = view;
  const sort = { name: "sort", label: "Order", any: "As set up", options: Object.entries(SORTS) };
  return choiceForm(promptsAddress(place), query, [...analysisChoices(view), ...narrowingChoices(filters), sort], {
    chosen: { analysis: analysis.id },
  });
}

function table(rows: readonly Prompt[], view: PromptsView): Html {
  const { filters, query } = view;
  const chosen = query.get("source");
  const sources = filters.source_names.filter(({ source }) => ranked(source) && (!chosen || source === chosen));
  return scrollTable({
    label: "Prompts with ranks by source",
    className: "heat prompts",
    columns: [
      "Prompt",
      { number: "Present in" },
      { number: "Score" },
      ...sources.map(({ name }) => ({ number: name })),
    ],
    rows: rows.map((row) => promptRow(row, sources, view)),
  });
}

function promptRow(row: Prompt, sources: Filters["source_names"], { place, analysis, query }: PromptsView): Html {
  const labels = [row.type, row.topic, row.persona].filter((label) => label !== undefined);
  const of = { analysis: analysis.id, collect: query.get("collect") ?? undefined, keyword: row.keyword_id };
  return html`<tr>
    <th scope="row">
      <a href="${answersAddress(place)}${queryWith(new URLSearchParams(), of)}">${nameShown(row.keyword_text ?? "")}</a>
      <small>${labels.map((label, at) => html`${at > 0 && " · "}${nameShown(label)}`)}</small>
    </th>
    <td class="number">
      ${figure(row.occurrences, String)} of ${figure(row.answers, String)}
      ${
        (row.previous_answers ?? 0) > 0 &&
        html`<small>${figure(row.previous_occurrences, String)} of ${figure(row.previous_answers, String)}</small>`
      }
    </td>
    <td class="number">${figure(row.score, (score) => score.toFixed(1))}</td>
    ${sources.map(({ source }) => rankCell(row, source))}
  </tr>`;
}

function rankCell(row: Prompt, source: Source): Html {
  if (!ranked(source)) return html`<td></td>`;
  const { [`${PREFIXES[source]}_rank` as const]: now, [`${PREFIXES[source]}_previous_rank` as const]: before } = row;
  return html`<td class="number">
    ${figure(now, mean)} ${before !== undefined && html`<small>(${figure(before, mean)})</small>`}
  </td>`;
}

function pager({ place, query }: PromptsView, page: number, all: number): Html | undefined {
  if (all <= ROWS) return undefined;
  const to = (at: number) => `${promptsAddress(place)}${queryWith(query, { page: at === 0 ? undefined : String(at) })}`;
  return html`<p class="pager">
    ${page > 0 && html`<a href="${to(page - 1)}">Previous</a>`}
    <span>${page * ROWS + 1} to ${Math.min(all, (page + 1) * ROWS)} of ${all}</span>
    ${(page + 1) * ROWS < all && html`<a href="${to(page + 1)}">Next</a>`}
  </p>`;
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

const COLUMNS = [
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
] as const satisfies readonly (keyof Prompt)[];

/** All prompts for a spreadsheet, the head first: values as the interface gives them. */
export function promptsCsv(rows: readonly Prompt[]): (string | number | null)[][] {
  const ranks = Object.values(PREFIXES).flatMap((prefix) => [`${prefix}_rank`, `${prefix}_previous_rank`] as const);
  const columns = [...COLUMNS, ...ranks];
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? null))];
}
