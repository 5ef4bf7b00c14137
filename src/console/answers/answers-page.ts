import type { z } from "zod";
import type { listAnswers } from "../../../tools/answers/list-answers.ts";
import { describeUnread } from "../../../core/reading/capture.ts";
import { SOURCE_NAMES } from "../../../core/sources/sources.ts";
import type { CsvColumn } from "../../http/pages/csv.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { renderInstant } from "../../http/pages/page.ts";
import { scrollTable } from "../../http/pages/table.ts";
import { renderUntrustedText } from "../audits/labels.ts";
import { formatDay } from "../../http/pages/format-day.ts";
import { renderName } from "../shared/format-metrics.ts";
import {
  analysisChoices,
  filterForm,
  cursorPager,
  filterChoices,
  noMatchesNotice,
  type BrandChoices,
  type MetricsView,
} from "../shared/filters.ts";
import { sortableHeaders } from "../shared/table-sort.ts";
import { answerAddress, answersAddress, exportsAddress, updateQuery } from "../shared/page-addresses.ts";
import { tablePanel } from "../shared/table-panel.ts";
import { formatInteger, formatCount } from "../../../core/shared/format-count.ts";

type AnswerList = z.output<typeof listAnswers.output>;

export interface AnswersView extends MetricsView {
  answers: AnswerList;
  brands: BrandChoices;
}

export const ANSWER_SORTS = { collected: "desc" } as const;

export const ANSWER_COLUMNS: readonly CsvColumn<AnswerList["data"][number]>[] = [
  "id",
  "prompt",
  "source",
  "collect_number",
  "run",
  "collected_at",
  "shown",
  "informative",
  "unread_reason",
  "provider",
  "model",
  "locale",
  "collection_method",
  ["cost_credits", ({ cost }) => cost.credits],
  ["cost_usd", ({ cost }) => cost.usd],
  "length",
  "excerpt",
];

export function renderAnswersPage(view: AnswersView): Html {
  const { answers, ids, query } = view;
  const path = answersAddress(ids);
  return html`<h1>Answers</h1>
    ${renderFilters(view)}
    ${tablePanel({
      id: "listed",
      title: formatAnswerCount(answers),
      hint: "Answers to all prompts. Headline figures count only generic prompts, which do not name your brand.",
      csv: {
        href: `${path}/answers.csv${updateQuery(query, { cursor: undefined })}`,
        rowCount: answers.total_is_exact ? answers.total_count : Math.max(1, answers.total_count),
      },
      table: answers.data.length === 0 ? undefined : renderAnswerTable(view),
      empty:
        answers.next_cursor === null
          ? noMatchesNotice("No answer matches these filters.", path, view)
          : html`<div class="empty"><p>No match so far. Select Next to search further.</p></div>`,
      pager: cursorPager(path, query, answers.next_cursor),
      note: renderCountNote(view),
    })}`;
}

function formatAnswerCount({ total_count, total_is_exact }: AnswerList): string {
  return total_is_exact ? formatCount(total_count, "answer") : `${formatInteger(total_count)}+ answers`;
}

function renderCountNote({ answers, ids, query, measured }: AnswersView): Html {
  const selectedCollectId = query.get("collect") || measured[0].id;
  const collect = measured.find(({ id }) => id === selectedCollectId);
  const parts = [
    formatAnswerCount(answers),
    collect ? `run ${collect.number} of ${formatDay(collect.collected_to ?? collect.finished_at)}` : "all runs",
    ...(collect && collect.failed > 0 ? [`${formatCount(collect.failed, "answer")} failed`] : []),
  ];
  return html`<p class="hint">${parts.join(" · ")} · <a href="${exportsAddress(ids)}">Export whole answers</a></p>`;
}

function renderFilters(view: AnswersView): Html {
  const { ids, query, analysis, filters, brands } = view;
  const [ofAnalysis, ofCollect] = analysisChoices(view);
  const all = [
    ofAnalysis,
    { ...ofCollect, options: [...ofCollect.options, ["all", "All runs"] as const] },
    ...filterChoices(filters, ["source", "country"]),
    { name: "names", label: "Mentions", any: "Any brand", ...brands },
    { name: "lacks", label: "Doesn't mention", any: "Any brand", ...brands },
  ];
  const keyword = query.get("keyword");
  const held = keyword === null ? {} : { keyword };
  return filterForm(answersAddress(ids), query, all, { defaults: { analysis: analysis.id }, held });
}

function renderExcerpt({ shown, excerpt, unread_reason: reason }: AnswerList["data"][number]) {
  if (reason !== null) return describeUnread(reason);
  return shown ? renderUntrustedText(excerpt) : "No AI answer was shown.";
}

function renderAnswerTable({ answers, ids, query }: AnswersView): Html {
  const usual = { sort: "collected", direction: "desc" } as const;
  const head = sortableHeaders({ path: answersAddress(ids), query, id: "listed", sorts: ANSWER_SORTS, usual });
  return scrollTable({
    label: "Answers",
    columns: [
      "Prompt and start of the answer",
      "Source",
      { number: "Repeat" },
      { number: "Run" },
      head("collected", "Collected", "text"),
    ],
    className: "sticky answers",
    rows: answers.data.map(
      (one) =>
        html`<tr>
          <th scope="row">
            <a href="${answerAddress({ ...ids, analysis_id: one.analysis_id }, one.id)}">${renderName(one.prompt)}</a>
            <small>${renderExcerpt(one)}</small>
          </th>
          <td>
            ${SOURCE_NAMES[one.source]} ${one.model !== null && html`<small>${renderUntrustedText(one.model)}</small>`}
            ${one.collection_method !== "api" && html`<small>${one.collection_method.replaceAll("_", " ")}</small>`}
          </td>
          <td class="number">${one.run}</td>
          <td class="number">${one.collect_number}</td>
          <td class="when">${renderInstant(one.collected_at, "", "day")}</td>
        </tr>`,
    ),
  });
}
